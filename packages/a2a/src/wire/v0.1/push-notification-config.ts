import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodePushConfig } from "../members/push-config.js";

export {
  decodePushConfig as decodeConfig,
  decodeTaskPushConfig as decodeTaskConfig,
} from "../members/push-config.js";

/** A task has one configuration in 0.1, so it has no id. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { id: _, headers: __, ...rest } = config;
  return encodePushConfig(rest);
}

export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  return { id: config.taskId ?? "", pushNotificationConfig: encodeConfig(config) };
}
