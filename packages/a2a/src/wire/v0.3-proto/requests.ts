import type {
  JsonObject,
  Operation,
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../../protocol/internal.js";
import {
  array,
  boolean,
  historyLength,
  implicit,
  isJsonObject,
  jsonObject,
  object,
  optional,
  required,
  shortString,
  string,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { compact } from "../members/as-json.js";
import { earlierDecoders } from "../members/earlier-requests.js";
import { parseResourceName } from "../members/resource-name.js";
import { withOwnRoles } from "../members/strict-role.js";
import { encodeProtoTaskState } from "../members/task-state.js";
import { encodeMethodCall } from "../method-call.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { decodeConfig, encodeConfig } from "./push-notification-config.js";

const configurationMembers = object<
  Omit<SendMessageConfiguration, "returnImmediately"> & { readonly blocking?: boolean }
>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodeConfig, {
    from: "pushNotification",
    aliases: ["pushNotificationConfig"],
  }),
  historyLength: optional(historyLength),
  blocking: optional(boolean),
});

/** In protobuf an absent `blocking` is `false`, so the caller waits only when it says so. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const { blocking, ...configuration } = configurationMembers(value, cursor);
  return { ...configuration, returnImmediately: blocking !== true };
}

const sendMessage = object<SendMessageRequest>({
  tenant: implicit(shortString),
  message: required(withOwnRoles("proto", decodeMessage), { aliases: ["request"] }),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

/** Parses a request that names its task by resource name, which it turns into ids. */
function named<T>(parse: Parser<T>): Parser<T> {
  return (value, cursor) => {
    const ids = isJsonObject(value)
      ? parseResourceName(value["name"] ?? value["parent"])
      : undefined;
    if (!isJsonObject(value) || ids === undefined) return parse(value, cursor);
    const pushNotificationConfigId = ids.configId;
    return parse({ id: ids.taskId, pushNotificationConfigId, ...value }, cursor);
  };
}

export const decodeRequest: Codec["decodeRequest"] = earlierDecoders((shared) => ({
  ...shared,
  sendMessage,
  sendStreamingMessage: sendMessage,
  getTask: named(shared.getTask),
  cancelTask: named(shared.cancelTask),
  subscribeToTask: named(shared.subscribeToTask),
  getTaskPushNotificationConfig: named(shared.getTaskPushNotificationConfig),
  listTaskPushNotificationConfigs: named(shared.listTaskPushNotificationConfigs),
  deleteTaskPushNotificationConfig: named(shared.deleteTaskPushNotificationConfig),
}));

function encodeSend({ message, configuration, metadata }: SendMessageRequest): JsonObject {
  return compact({
    message: encodeMessage(message),
    configuration: configuration && encodeConfiguration(configuration),
    metadata,
  });
}

function encodeConfiguration(configuration: SendMessageConfiguration): JsonObject {
  const { taskPushNotificationConfig } = configuration;
  return compact({
    acceptedOutputModes: configuration.acceptedOutputModes,
    pushNotification: taskPushNotificationConfig && encodeConfig(taskPushNotificationConfig),
    historyLength: configuration.historyLength,
    blocking: configuration.returnImmediately !== true,
  });
}

/** Ids have the names of the parameters in REST paths. The bodies are ProtoJSON. */
export const encodeRequest: { readonly [O in Operation]: (request: RequestOf<O>) => JsonObject } = {
  sendMessage: encodeSend,
  sendStreamingMessage: encodeSend,
  getTask: ({ id, historyLength: length }) => compact({ id, historyLength: length }),
  listTasks: ({ status, ...request }) =>
    compact({ ...request, tenant: undefined, status: status && encodeProtoTaskState(status) }),
  cancelTask: ({ id, metadata }) => compact({ id, metadata }),
  subscribeToTask: ({ id }) => ({ id }),
  createTaskPushNotificationConfig: (config) => ({
    taskId: config.taskId,
    pushNotificationConfig: encodeConfig(config),
  }),
  getTaskPushNotificationConfig: (request) =>
    compact({ id: request.taskId, pushNotificationConfigId: request.id }),
  listTaskPushNotificationConfigs: ({ taskId, pageSize, pageToken }) =>
    compact({ id: taskId, pageSize, pageToken }),
  deleteTaskPushNotificationConfig: (request) => ({
    id: request.taskId,
    pushNotificationConfigId: request.id,
  }),
  getExtendedAgentCard: () => ({}),
  callMethod: encodeMethodCall,
};
