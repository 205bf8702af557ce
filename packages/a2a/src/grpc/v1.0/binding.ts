import { codecs } from "../../wire/internal.js";
import type { Binding } from "../binding.js";
import { service } from "../gen/lf-a2a-v1.js";

/** `lf.a2a.v1`: the JSON form of every message is the JSON of 1.0. */
export const binding: Binding = {
  version: "1.0",
  service,
  codec: codecs["1.0"],
  operations: {
    SendMessage: "sendMessage",
    SendStreamingMessage: "sendStreamingMessage",
    GetTask: "getTask",
    ListTasks: "listTasks",
    CancelTask: "cancelTask",
    SubscribeToTask: "subscribeToTask",
    CreateTaskPushNotificationConfig: "createTaskPushNotificationConfig",
    GetTaskPushNotificationConfig: "getTaskPushNotificationConfig",
    ListTaskPushNotificationConfigs: "listTaskPushNotificationConfigs",
    DeleteTaskPushNotificationConfig: "deleteTaskPushNotificationConfig",
    GetExtendedAgentCard: "getExtendedAgentCard",
  },
  readRequest: (_, message) => message,
  writeRequest: (_, request) => request,
};
