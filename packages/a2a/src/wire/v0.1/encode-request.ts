import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageRequest,
} from "../../protocol/internal.js";
import { compact } from "../members/as-json.js";
import { earlierEncoders } from "../members/earlier-encoders.js";
import { encodeMessage } from "./message.js";
import { encodeConfig, encodeTaskConfig } from "./push-notification-config.js";
import { unsupported } from "./unsupported.js";

/** In 0.1 the caller chooses the id of the task: without a task, it is the id of the message. */
function encodeSend({ message, configuration, metadata }: SendMessageRequest): JsonObject {
  const config = configuration?.taskPushNotificationConfig;
  return compact({
    id: message.taskId ?? message.messageId,
    sessionId: message.contextId,
    message: encodeMessage(message),
    pushNotification: config && encodeConfig(config),
    historyLength: configuration?.historyLength,
    metadata,
  });
}

export const encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject } = {
  ...earlierEncoders,
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  createTaskPushNotificationConfig: encodeTaskConfig,
  getTaskPushNotificationConfig: (request) => ({ id: request.taskId }),
  ...unsupported,
};
