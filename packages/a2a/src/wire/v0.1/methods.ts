import type { JsonRpcMethodAliases, JsonRpcMethods } from "../codec.js";

/** The JSON-RPC methods of 0.1. */
export const methods: JsonRpcMethods = {
  sendMessage: "tasks/send",
  sendStreamingMessage: "tasks/sendSubscribe",
  getTask: "tasks/get",
  cancelTask: "tasks/cancel",
  subscribeToTask: "tasks/resubscribe",
  createTaskPushNotificationConfig: "tasks/pushNotification/set",
  getTaskPushNotificationConfig: "tasks/pushNotification/get",
};

export const methodAliases: JsonRpcMethodAliases = {};
