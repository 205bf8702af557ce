import type { JsonObject, TaskPushNotificationConfig } from "../../protocol/internal.js";
import { encodePushConfig } from "../members/push-config.js";

export {
  encodePushConfig as encodeConfig,
  decodePushConfig as decodeConfig,
  decodeTaskPushConfig as decodeTaskConfig,
} from "../members/push-config.js";

export function encodeTaskConfig(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId ?? "", pushNotificationConfig: encodePushConfig(config) };
}
