import type { Operation } from "../../protocol/internal.js";
import { codecs } from "../../wire/internal.js";
import type { Binding } from "../binding.js";
import { service } from "../gen/lf-a2a-v1.js";
import type { Decoded } from "../wire-format.js";

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
  readRequest,
  writeRequest: (_, request) => request,
};

/** A page size of 0 is none: the clients of some languages write the field whether or not the program has set it. */
function readRequest(operation: Operation, message: Decoded): Decoded {
  if (operation !== "listTasks" || message["pageSize"] !== 0) return message;
  const { pageSize: _, ...others } = message;
  return others;
}
