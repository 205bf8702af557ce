import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodePushConfig } from "../members/push-config.js";
import { configName, taskName } from "../members/resource-name.js";

/** Reading accepts every form of 0.3; the two body forms differ only in what they write. */
export {
  decodePushConfig as decodeConfig,
  decodeTaskPushConfig as decodeTaskConfig,
} from "../members/push-config.js";

/** The protobuf has no field for extra headers; they stay behind. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { headers: _, ...rest } = config;
  return encodePushConfig(rest);
}

/** The configuration under its resource name. */
export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  const { taskId = "", id } = config;
  const name = id === undefined ? taskName(taskId) : configName(taskId, id);
  return { name, pushNotificationConfig: encodeConfig(config) };
}
