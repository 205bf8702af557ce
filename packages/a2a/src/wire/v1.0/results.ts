import type {
  JsonObject,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
} from "../../protocol/index.js";
import { asJson } from "../as-json.js";
import type { Codec } from "../codec.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { decodePlainResult } from "./plain-results.js";
import { encodePushNotificationConfig } from "./push-notification-config.js";

/** `artifacts` is there, if only as an empty list, exactly when it was asked for (§3.1.4). */
function encodeTaskList(response: ListTasksResponse, request: ListTasksRequest): JsonObject {
  const tasks = response.tasks.map(({ artifacts = [], ...task }) =>
    request.includeArtifacts === true ? { ...task, artifacts } : task,
  );
  return asJson({ ...response, tasks });
}

function encodeConfigList(response: ListTaskPushNotificationConfigsResponse): JsonObject {
  const { configs = [], nextPageToken = "" } = response;
  return { configs: configs.map(encodePushNotificationConfig), nextPageToken };
}

export const encodeResult: Codec["encodeResult"] = {
  sendMessage: asJson,
  getTask: asJson,
  listTasks: encodeTaskList,
  cancelTask: asJson,
  createTaskPushNotificationConfig: encodePushNotificationConfig,
  getTaskPushNotificationConfig: encodePushNotificationConfig,
  listTaskPushNotificationConfigs: encodeConfigList,
  deleteTaskPushNotificationConfig: () => null,
  getExtendedAgentCard: encodeAgentCard,
};

export const decodeResult: Codec["decodeResult"] = {
  ...decodePlainResult,
  getExtendedAgentCard: decodeAgentCard,
};
