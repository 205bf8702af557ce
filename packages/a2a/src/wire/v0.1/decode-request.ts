import type {
  JsonObject,
  Message,
  SendMessageRequest,
  TaskPushNotificationConfig,
} from "../../protocol/internal.js";
import {
  historyLength,
  identifier,
  identifierOrEmpty,
  implicit,
  jsonObject,
  object,
  optional,
  required,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { earlierDecoders } from "../members/earlier-requests.js";
import { withOwnRoles } from "../members/strict-role.js";
import { decodeMessage } from "./message.js";
import { decodeConfig, decodeTaskConfig } from "./push-notification-config.js";
import { unsupported } from "./unsupported.js";

const sendMembers = object<{
  readonly id: string;
  readonly sessionId?: string;
  readonly message: Message;
  readonly pushNotification?: TaskPushNotificationConfig;
  readonly historyLength?: number;
  readonly metadata?: JsonObject;
}>({
  id: required(identifier),
  sessionId: implicit(identifierOrEmpty),
  message: required(withOwnRoles("schema", decodeMessage)),
  pushNotification: optional(decodeConfig),
  historyLength: optional(historyLength),
  metadata: optional(jsonObject),
});

/** Callers of 0.1 name the task and its session beside the message; the model has both inside it. */
function decodeSend(value: unknown, cursor: Cursor): SendMessageRequest {
  const params = sendMembers(value, cursor);
  const { id, sessionId, metadata, pushNotification, message } = params;
  const contextId = sessionId ?? message.contextId;
  if (message.contextId !== undefined && message.contextId !== contextId) {
    cursor.fail("expected the same value as message.contextId", "sessionId");
  }
  const configuration = {
    ...(pushNotification !== undefined && { taskPushNotificationConfig: pushNotification }),
    ...(params.historyLength !== undefined && { historyLength: params.historyLength }),
  };
  return {
    message: { ...message, taskId: id, ...(contextId !== undefined && { contextId }) },
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(metadata !== undefined && { metadata }),
  };
}

/** Parameters that 0.1 and 0.3 have in common are decoded in the same way. */
export const decodeRequest: Codec["decodeRequest"] = earlierDecoders((shared) => ({
  sendMessage: decodeSend,
  sendStreamingMessage: decodeSend,
  getTask: shared.getTask,
  cancelTask: shared.cancelTask,
  subscribeToTask: shared.subscribeToTask,
  createTaskPushNotificationConfig: decodeTaskConfig,
  getTaskPushNotificationConfig: shared.getTaskPushNotificationConfig,
  callMethod: shared.callMethod,
  ...unsupported,
}));
