import type { JsonRpcMethodAliases, JsonRpcMethods } from "../codec.js";

/** The JSON-RPC methods of 0.2 and 0.3, which have slashes in their names. */
export const slashMethods: JsonRpcMethods = {
  sendMessage: "message/send",
  sendStreamingMessage: "message/stream",
  getTask: "tasks/get",
  cancelTask: "tasks/cancel",
  subscribeToTask: "tasks/resubscribe",
  createTaskPushNotificationConfig: "tasks/pushNotificationConfig/set",
  getTaskPushNotificationConfig: "tasks/pushNotificationConfig/get",
  listTaskPushNotificationConfigs: "tasks/pushNotificationConfig/list",
  deleteTaskPushNotificationConfig: "tasks/pushNotificationConfig/delete",
  getExtendedAgentCard: "agent/getAuthenticatedExtendedCard",
};

/** Names from drafts and prose. */
export const slashMethodAliases: JsonRpcMethodAliases = {
  "tasks/list": "listTasks",
  "tasks/subscribe": "subscribeToTask",
  "agent/authenticatedExtendedCard": "getExtendedAgentCard",
};
