import type { ListTaskPushNotificationConfigsResponse } from "../../protocol/internal.js";
import { array, implicit, object, string } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { compact } from "../members/as-json.js";
import { sendResultOf, taskListOf } from "../members/result-parsers.js";
import { decodeMethodResult, encodeMethodResult } from "../method-call.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { decodeTaskConfig, encodeTaskConfig } from "./push-notification-config.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";
import { decodeTask, encodeTask } from "./task.js";

export const encodeResult: Codec["encodeResult"] = {
  sendMessage: (result) => encodeEvent(result, {})[0] ?? null,
  getTask: encodeTask,
  listTasks: ({ tasks }) => tasks.map(encodeTask),
  cancelTask: encodeTask,
  createTaskPushNotificationConfig: encodeTaskConfig,
  getTaskPushNotificationConfig: encodeTaskConfig,
  listTaskPushNotificationConfigs: ({ configs = [], nextPageToken }) =>
    compact({ configs: configs.map(encodeTaskConfig), nextPageToken }),
  deleteTaskPushNotificationConfig: () => ({}),
  getExtendedAgentCard: encodeAgentCard,
  callMethod: encodeMethodResult,
};

const configPage = object<ListTaskPushNotificationConfigsResponse>({
  configs: implicit(array(decodeTaskConfig)),
  nextPageToken: implicit(string),
});

export const decodeResult: Codec["decodeResult"] = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  listTasks: taskListOf(decodeTask),
  cancelTask: decodeTask,
  createTaskPushNotificationConfig: decodeTaskConfig,
  getTaskPushNotificationConfig: decodeTaskConfig,
  /** Servers that follow the prose of 0.3 answer with the bare list. */
  listTaskPushNotificationConfigs: (json, cursor) =>
    configPage(Array.isArray(json) ? { configs: json } : json, cursor),
  deleteTaskPushNotificationConfig: () => undefined,
  getExtendedAgentCard: decodeAgentCard,
  callMethod: decodeMethodResult,
};
