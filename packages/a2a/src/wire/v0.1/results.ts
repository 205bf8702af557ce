import { A2AError } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { decodeMethodResult, encodeMethodResult } from "../method-call.js";
import { decodeTaskConfig, encodeTaskConfig } from "./push-notification-config.js";
import { decodeTask, encodeTask, taskOfReply } from "./task.js";
import { unsupported } from "./unsupported.js";

export const encodeResult: Codec["encodeResult"] = {
  sendMessage: (result, request) =>
    encodeTask(result.task ?? taskOfReply(result.message, request.message.taskId)),
  getTask: encodeTask,
  cancelTask: encodeTask,
  createTaskPushNotificationConfig: encodeTaskConfig,
  getTaskPushNotificationConfig: encodeTaskConfig,
  callMethod: encodeMethodResult,
  ...unsupported,
};

/** A task without a push configuration has `null` in its place. */
export const resultOfError: NonNullable<Codec["resultOfError"]> = {
  getTaskPushNotificationConfig: ({ details: { metadata } }, { taskId }) =>
    metadata?.["pushNotificationConfigId"] === undefined
      ? undefined
      : { id: taskId, pushNotificationConfig: null },
};

export const decodeResult: Codec["decodeResult"] = {
  sendMessage: (json, cursor) => ({ task: decodeTask(json, cursor) }),
  getTask: decodeTask,
  cancelTask: decodeTask,
  createTaskPushNotificationConfig: decodeTaskConfig,
  /** A server of 0.1 answers with `null` when the task has no configuration. */
  getTaskPushNotificationConfig(json, cursor, { taskId }) {
    if (isJsonObject(json) && json["pushNotificationConfig"] === null) {
      const message = `task ${taskId ?? ""} has no push configuration`;
      throw new A2AError("TASK_NOT_FOUND", message);
    }
    return decodeTaskConfig(json, cursor);
  },
  callMethod: decodeMethodResult,
  ...unsupported,
};
