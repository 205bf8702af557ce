import { operations } from "../../protocol/internal.js";
import type {
  JsonObject,
  Operation,
  ProtocolOperation,
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

/** The model's requests are already in the form of 1.0, but for what only earlier versions have. */
const asTheyAre = Object.fromEntries(operations.map((name) => [name, asJson])) as Readonly<
  Record<ProtocolOperation, typeof asJson>
>;

export const encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject } = {
  ...asTheyAre,
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  createTaskPushNotificationConfig: encodePushNotificationConfig,
  callMethod: encodeMethodCall,
};
