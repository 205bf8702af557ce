import type { JsonObject, Operation } from "../../protocol/internal.js";
import { codecs, configName, parseResourceName, taskName } from "../../wire/internal.js";
import type { Cursor } from "../../wire/internal.js";
import type { Binding } from "../binding.js";
import { service } from "../gen/a2a-v1.js";
import type { Decoded } from "../wire-format.js";

/** `a2a.v1`: the JSON form of every message is that of the 0.3 REST paths in ProtoJSON. */
export const binding: Binding = {
  version: "0.3",
  service,
  codec: codecs["0.3-proto"],
  operations: {
    SendMessage: "sendMessage",
    SendStreamingMessage: "sendStreamingMessage",
    GetTask: "getTask",
    CancelTask: "cancelTask",
    TaskSubscription: "subscribeToTask",
    CreateTaskPushNotificationConfig: "createTaskPushNotificationConfig",
    GetTaskPushNotificationConfig: "getTaskPushNotificationConfig",
    ListTaskPushNotificationConfig: "listTaskPushNotificationConfigs",
    DeleteTaskPushNotificationConfig: "deleteTaskPushNotificationConfig",
    GetAgentCard: "getExtendedAgentCard",
  },
  readRequest,
  writeRequest,
};

/** The field by which an operation's request names its resource. */
const nameFields: Readonly<Partial<Record<Operation, "name" | "parent">>> = {
  getTask: "name",
  cancelTask: "name",
  subscribeToTask: "name",
  createTaskPushNotificationConfig: "parent",
  getTaskPushNotificationConfig: "name",
  listTaskPushNotificationConfigs: "parent",
  deleteTaskPushNotificationConfig: "name",
};

/** Whether a request names a configuration. The one to get may be left to the server. */
const namesConfig: Readonly<Partial<Record<Operation, "always" | "maybe">>> = {
  getTaskPushNotificationConfig: "maybe",
  deleteTaskPushNotificationConfig: "always",
};

/** Refuses a name that is not a resource name: the codec, which reads it later, does not know its field. */
function readRequest(operation: Operation, given: Decoded, cursor: Cursor): unknown {
  const field = nameFields[operation];
  if (field === undefined) return given;
  const message = operation === "createTaskPushNotificationConfig" ? withParent(given) : given;
  const ids = parseResourceName(message[field]);
  const expected = namesConfig[operation];
  const isConfig = ids?.configId !== undefined;
  if (ids === undefined || (expected !== "maybe" && isConfig !== (expected === "always"))) {
    const form = expected ? "tasks/{task}/pushNotificationConfigs/{config}" : "tasks/{task}";
    cursor.fail(`expected a name such as ${form}`, field);
  }
  return message;
}

/** Takes the parent from the configuration's name: the official Python client of 0.2 leaves the parent empty. */
function withParent(message: Decoded): Decoded {
  const { parent = "", config } = message;
  const ids = parseResourceName((config as Decoded | undefined)?.["name"]);
  return parent === "" && ids !== undefined
    ? { ...message, parent: taskName(ids.taskId) }
    : message;
}

function writeRequest(operation: Operation, request: JsonObject): JsonObject {
  const id = request["id"] as string;
  const configId = request["pushNotificationConfigId"] as string | undefined;
  switch (operation) {
    case "getTask":
    case "cancelTask":
    case "subscribeToTask":
      return { ...request, name: taskName(id) };
    case "listTaskPushNotificationConfigs":
      return { ...request, parent: taskName(id) };
    case "getTaskPushNotificationConfig":
    case "deleteTaskPushNotificationConfig":
      return { name: configId === undefined ? taskName(id) : configName(id, configId) };
    case "createTaskPushNotificationConfig":
      return writeConfig(request["taskId"] as string, request["pushNotificationConfig"]);
    case "sendMessage":
    case "sendStreamingMessage":
    case "listTasks":
    case "getExtendedAgentCard":
    case "callMethod":
      return request;
  }
}

/** A configuration without an id has the name of its task, and becomes the default one of the task. */
function writeConfig(taskId: string, config: JsonObject[string] | undefined): JsonObject {
  const pushNotificationConfig = config as JsonObject;
  const id = pushNotificationConfig["id"];
  const configId = typeof id === "string" ? id : "";
  const name = configId === "" ? taskName(taskId) : configName(taskId, configId);
  return { parent: taskName(taskId), configId, config: { name, pushNotificationConfig } };
}
