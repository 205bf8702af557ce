import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodeConfig as encodeLaterConfig } from "../v0.3/push-notification-config.js";

export { decodeConfig, decodeTaskConfig } from "../v0.3/push-notification-config.js";

/** A task has one configuration in 0.1, so it has no id. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { id: _, headers: __, ...rest } = config;
  return encodeLaterConfig(rest);
}

export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  return { id: config.taskId ?? "", pushNotificationConfig: encodeConfig(config) };
}
