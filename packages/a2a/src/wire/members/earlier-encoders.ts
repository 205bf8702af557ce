import type { JsonObject, RequestOf } from "../../protocol/internal.js";
import { encodeMethodCall } from "../method-call.js";
import { compact } from "./as-json.js";

type Shared =
  | "getTask"
  | "cancelTask"
  | "subscribeToTask"
  | "getTaskPushNotificationConfig"
  | "deleteTaskPushNotificationConfig"
  | "getExtendedAgentCard"
  | "callMethod";

/** The encoders of requests that versions before 1.0 have in common. They drop parameters that these do not have. */
export const earlierEncoders: { readonly [O in Shared]: (request: RequestOf<O>) => JsonObject } = {
  getTask: ({ id, historyLength }) => compact({ id, historyLength }),
  cancelTask: ({ id, metadata }) => compact({ id, metadata }),
  subscribeToTask: ({ id }) => ({ id }),
  getTaskPushNotificationConfig: encodeConfigId,
  deleteTaskPushNotificationConfig: encodeConfigId,
  getExtendedAgentCard: () => ({}),
  callMethod: encodeMethodCall,
};

function encodeConfigId({ taskId, id }: RequestOf<"getTaskPushNotificationConfig">): JsonObject {
  return compact({ id: taskId, pushNotificationConfigId: id });
}
