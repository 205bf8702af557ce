import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageRequest,
} from "../../protocol/internal.js";
import { asJson } from "../members/as-json.js";
import { encodeMethodCall } from "../method-call.js";
import { encodePushNotificationConfig } from "./encode-push-config.js";

function encodeSend(request: SendMessageRequest): JsonObject {
  const config = request.configuration?.taskPushNotificationConfig;
  if (config === undefined) return asJson(request);
  const taskPushNotificationConfig = encodePushNotificationConfig(config);
  return asJson({
    ...request,
    configuration: { ...request.configuration, taskPushNotificationConfig },
  });
}

export const encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject } = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: asJson,
  listTasks: asJson,
  cancelTask: asJson,
  subscribeToTask: asJson,
  createTaskPushNotificationConfig: encodePushNotificationConfig,
  getTaskPushNotificationConfig: asJson,
  listTaskPushNotificationConfigs: asJson,
  deleteTaskPushNotificationConfig: asJson,
  getExtendedAgentCard: asJson,
  callMethod: encodeMethodCall,
};
