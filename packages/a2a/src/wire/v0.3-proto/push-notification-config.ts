import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodePushConfig } from "../members/push-config.js";
import { configName, taskName } from "../members/resource-name.js";

/** Decoding accepts every form of 0.3. The two body forms differ only in what they encode. */
export {
  decodePushConfig as decodeConfig,
  decodeTaskPushConfig as decodeTaskConfig,
} from "../members/push-config.js";

/** Drops extra headers, for which the protobuf has no field. */
export function encodeConfig(config: TaskPushNotificationConfig): JsonObject {
  const { headers: _, ...rest } = config;
  return encodePushConfig(rest);
}

/** Encodes a configuration with its resource name. */
export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  const { taskId = "", id } = config;
  const name = id === undefined ? taskName(taskId) : configName(taskId, id);
  return { name, pushNotificationConfig: encodeConfig(config) };
}
