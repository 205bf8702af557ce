import type {
  JsonObject,
  ListTasksRequest,
  Operation,
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
} from "../../protocol/internal.js";
import {
  array,
  boolean,
  historyLength,
  identifier,
  identifierOrEmpty,
  implicit,
  integer,
  jsonObject,
  object,
  optional,
  required,
  string,
  timestamp,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import type { Codec } from "../codec.js";
import { isObject } from "../members/is-object.js";
import { decodeTaskState, encodeLowerTaskState } from "../members/task-state.js";
import { decodeMessage, encodeMessage, isBlankString } from "./message.js";
import {
  decodeConfig,
  decodeTaskConfig,
  encodeConfig,
  encodeTaskConfig,
} from "./push-notification-config.js";
import type { Shape } from "./shape.js";

const configurationMembers = object<
  Omit<SendMessageConfiguration, "returnImmediately"> & { readonly blocking?: boolean }
>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodeConfig, { from: "pushNotificationConfig" }),
  historyLength: optional(historyLength),
  blocking: optional(boolean),
});

/** A caller that does not say `blocking: false` waits: these versions state no default. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const { blocking, ...configuration } = configurationMembers(value, cursor);
  return blocking === false ? { ...configuration, returnImmediately: true } : configuration;
}

const sendMembers = object<SendMessageRequest>({
  tenant: implicit(string),
  message: required(decodeMessage),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

/** Several documents print the message's id beside the message; it counts where the message has none. */
const sendMessage: Parser<SendMessageRequest> = (value, cursor) => {
  const outerId = isObject(value) ? value["messageId"] : undefined;
  if (!isObject(value) || !isObject(value["message"]) || typeof outerId !== "string") {
    return sendMembers(value, cursor);
  }
  const { message } = value;
  const innerId = message["messageId"] ?? "";
  const usesOuter = isBlankString(innerId) && !isBlankString(outerId);
  return sendMembers(
    usesOuter ? { ...value, message: { ...message, messageId: outerId } } : value,
    cursor,
  );
};

const tenant = implicit(string);
const taskId = required(identifier, { from: "id", aliases: ["taskId"] });

export const decodeRequest: Codec["decodeRequest"] = {
  sendMessage,
  sendStreamingMessage: sendMessage,
  getTask: object<RequestOf<"getTask">>({
    tenant,
    id: required(identifier, { aliases: ["taskId"] }),
    historyLength: optional(historyLength),
  }),
  listTasks: optionalParams(
    object<ListTasksRequest>({
      tenant,
      contextId: implicit(identifierOrEmpty),
      status: optional(decodeTaskState),
      pageSize: optional(integer(1, 100)),
      pageToken: implicit(string),
      historyLength: optional(historyLength),
      statusTimestampAfter: optional(timestamp, { aliases: ["lastUpdatedAfter"] }),
      includeArtifacts: optional(boolean),
    }),
  ),
  cancelTask: object<RequestOf<"cancelTask">>({
    tenant,
    id: required(identifier, { aliases: ["taskId"] }),
    metadata: optional(jsonObject),
  }),
  subscribeToTask: object<RequestOf<"subscribeToTask">>({
    tenant,
    id: required(identifier, { aliases: ["taskId"] }),
  }),
  createTaskPushNotificationConfig: decodeTaskConfig,
  getTaskPushNotificationConfig: object<RequestOf<"getTaskPushNotificationConfig">>({
    tenant,
    taskId,
    id: implicit(identifierOrEmpty, { from: "pushNotificationConfigId" }),
  }),
  listTaskPushNotificationConfigs: object<RequestOf<"listTaskPushNotificationConfigs">>({
    tenant,
    taskId,
    pageSize: implicit(integer(0)),
    pageToken: implicit(string),
  }),
  deleteTaskPushNotificationConfig: object<RequestOf<"deleteTaskPushNotificationConfig">>({
    tenant,
    taskId,
    id: required(identifier, { from: "pushNotificationConfigId" }),
  }),
  getExtendedAgentCard: optionalParams(object<RequestOf<"getExtendedAgentCard">>({ tenant })),
};

function optionalParams<T>(parse: Parser<T>): Parser<T> {
  return (value, cursor) => parse(value ?? {}, cursor);
}

/**
 * Servers up to 0.2.5 refuse a configuration without `acceptedOutputModes`, and servers differ in what
 * a missing `blocking` means: both are always said.
 */
function encodeConfiguration(configuration: SendMessageConfiguration): JsonObject {
  const { acceptedOutputModes = [], taskPushNotificationConfig } = configuration;
  return compact({
    acceptedOutputModes,
    blocking: configuration.returnImmediately !== true,
    historyLength: configuration.historyLength,
    pushNotificationConfig: taskPushNotificationConfig && encodeConfig(taskPushNotificationConfig),
  });
}

/** The parameters as these versions name them; what they have no name for stays behind. */
export function requestEncoder(shape: Shape): {
  readonly [O in Operation]: (request: RequestOf<O>) => JsonObject;
} {
  const encodeSend = ({ message, configuration, metadata }: SendMessageRequest): JsonObject =>
    compact({
      message: encodeMessage(message, shape),
      configuration: configuration && encodeConfiguration(configuration),
      metadata,
    });
  return {
    sendMessage: encodeSend,
    sendStreamingMessage: encodeSend,
    getTask: ({ id, historyLength: length }) => compact({ id, historyLength: length }),
    listTasks: ({ status, ...request }) =>
      compact({ ...request, tenant: undefined, status: status && encodeLowerTaskState(status) }),
    cancelTask: ({ id, metadata }) => compact({ id, metadata }),
    subscribeToTask: ({ id }) => ({ id }),
    createTaskPushNotificationConfig: encodeTaskConfig,
    getTaskPushNotificationConfig: (request) =>
      compact({ id: request.taskId, pushNotificationConfigId: request.id }),
    listTaskPushNotificationConfigs: (request) => ({ id: request.taskId }),
    deleteTaskPushNotificationConfig: (request) => ({
      id: request.taskId,
      pushNotificationConfigId: request.id,
    }),
    getExtendedAgentCard: () => ({}),
  };
}
