import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodePushConfig } from "../members/push-config.js";

export {
  decodePushConfig as decodeConfig,
  decodeTaskPushConfig as decodeTaskConfig,
} from "../members/push-config.js";

/** A configuration of 0.1 has no id, because a task has only one. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { id: _, headers: __, ...rest } = config;
  return encodePushConfig(rest);
}

export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  return { id: config.taskId ?? "", pushNotificationConfig: encodeConfig(config) };
}
