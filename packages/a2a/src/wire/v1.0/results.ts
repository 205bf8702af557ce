import type {
  JsonObject,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
} from "../../protocol/internal.js";
import { array, implicit, object, string } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { asJson } from "../members/as-json.js";
import { taskListOf } from "../members/result-parsers.js";
import { decodeMethodResult, encodeMethodResult } from "../method-call.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { decodePushNotificationConfig } from "./decode-push-config.js";
import { encodePushNotificationConfig } from "./encode-push-config.js";
import { decodeTaskResult } from "./task-results.js";
import { decodeTask } from "./task.js";

/** Tasks have `artifacts`, even if empty, when the caller asked for them, and never otherwise (§3.1.4). */
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
  callMethod: encodeMethodResult,
};

const configList = object<ListTaskPushNotificationConfigsResponse>({
  configs: implicit(array(decodePushNotificationConfig)),
  nextPageToken: implicit(string),
});

export const decodeResult: Codec["decodeResult"] = {
  ...decodeTaskResult,
  listTasks: taskListOf(decodeTask),
  createTaskPushNotificationConfig: decodePushNotificationConfig,
  getTaskPushNotificationConfig: decodePushNotificationConfig,
  listTaskPushNotificationConfigs: configList,
  deleteTaskPushNotificationConfig: () => undefined,
  getExtendedAgentCard: decodeAgentCard,
  callMethod: decodeMethodResult,
};
