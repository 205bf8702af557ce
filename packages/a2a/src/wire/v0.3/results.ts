import type { JsonObject, Task } from "../../protocol/internal.js";
import { array, isJsonObject } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { sendResultOf, taskListOf } from "../members/result-parsers.js";
import { decodeMethodResult, encodeMethodResult } from "../method-call.js";
import { decodeAgentCard, encodeAgentCard, encodeRestAgentCard } from "./agent-card.js";
import { decodeTaskConfig, encodeTaskConfig } from "./push-notification-config.js";
import type { Shape } from "./shape.js";
import { decodeEvent, encodeReply } from "./stream-response.js";
import { decodeTask, encodeTask } from "./task.js";

export function resultEncoder(shape: Shape): Codec["encodeResult"] {
  const task = (result: Task): JsonObject => encodeTask(result, shape);
  return {
    sendMessage: (result) => encodeReply(result, shape),
    getTask: task,
    listTasks: ({ tasks, ...page }) =>
      shape.rest ? tasks.map(task) : { tasks: tasks.map(task), ...page },
    cancelTask: task,
    /** The document that lets callers register headers also promises them `success`. */
    createTaskPushNotificationConfig: (config, request) =>
      request.headers === undefined
        ? encodeTaskConfig(config)
        : { ...encodeTaskConfig(config), success: true },
    getTaskPushNotificationConfig: encodeTaskConfig,
    listTaskPushNotificationConfigs: ({ configs = [] }) => configs.map(encodeTaskConfig),
    deleteTaskPushNotificationConfig: () => null,
    getExtendedAgentCard: shape.rest ? encodeRestAgentCard : encodeAgentCard,
    callMethod: encodeMethodResult,
  };
}

const configList = array(decodeTaskConfig);

export const decodeResult: Codec["decodeResult"] = {
  sendMessage: sendResultOf(decodeEvent),
  getTask: decodeTask,
  listTasks: taskListOf(decodeTask),
  cancelTask: decodeTask,
  createTaskPushNotificationConfig: (json, cursor, { config }) =>
    config !== undefined && isConfirmation(json) ? config : decodeTaskConfig(json, cursor),
  getTaskPushNotificationConfig: decodeTaskConfig,
  listTaskPushNotificationConfigs(json, cursor) {
    // Go writes an empty list as null.
    const configs = configList(unwrapConfigs(json) ?? [], cursor);
    return configs.length === 0 ? {} : { configs };
  },
  deleteTaskPushNotificationConfig: () => undefined,
  getExtendedAgentCard: decodeAgentCard,
  callMethod: decodeMethodResult,
};

/** True for `{success: true}` without any other member. */
function isConfirmation(json: unknown): boolean {
  return isJsonObject(json) && json["success"] === true && Object.keys(json).length === 1;
}

function unwrapConfigs(json: unknown): unknown {
  return isJsonObject(json) ? (json["configs"] ?? []) : json;
}
