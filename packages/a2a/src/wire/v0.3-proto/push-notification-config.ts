import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { configName, taskName } from "../rest/resource-name.js";
import { encodeConfig as encodeSchemaConfig } from "../v0.3/push-notification-config.js";

/** Reading accepts every form of 0.3; the two body forms differ only in what they write. */
export { decodeConfig, decodeTaskConfig } from "../v0.3/push-notification-config.js";

/** The protobuf has no field for extra headers; they stay behind. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { headers: _, ...rest } = config;
  return encodeSchemaConfig(rest);
}

/** The configuration under its resource name. */
export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  const { taskId = "", id } = config;
  const name = id === undefined ? taskName(taskId) : configName(taskId, id);
  return { name, pushNotificationConfig: encodeConfig(config) };
}
