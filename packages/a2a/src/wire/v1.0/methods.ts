import type { Operation } from "../../protocol/index.js";

/** The JSON-RPC methods of 1.0 (§5.3). */
export const methods: Readonly<Record<Operation, string>> = {
  sendMessage: "SendMessage",
  sendStreamingMessage: "SendStreamingMessage",
  getTask: "GetTask",
  listTasks: "ListTasks",
  cancelTask: "CancelTask",
  subscribeToTask: "SubscribeToTask",
  createTaskPushNotificationConfig: "CreateTaskPushNotificationConfig",
  getTaskPushNotificationConfig: "GetTaskPushNotificationConfig",
  listTaskPushNotificationConfigs: "ListTaskPushNotificationConfigs",
  deleteTaskPushNotificationConfig: "DeleteTaskPushNotificationConfig",
  getExtendedAgentCard: "GetExtendedAgentCard",
};

/** The name of the release candidate. Accepted, never sent. */
export const methodAliases: Readonly<Record<string, Operation>> = {
  ListTaskPushNotificationConfig: "listTaskPushNotificationConfigs",
};
