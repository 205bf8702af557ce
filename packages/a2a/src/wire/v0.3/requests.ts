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
import { isBlank } from "../members/named-member.js";
import { withOwnRoles } from "../members/strict-role.js";
import { encodeLowerTaskState } from "../members/task-state.js";
import { encodeMethodCall } from "../method-call.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { decodeConfig, encodeConfig, encodeTaskConfig } from "./push-notification-config.js";
import type { Shape } from "./shape.js";

const configurationMembers = object<
  Omit<SendMessageConfiguration, "returnImmediately"> & { readonly blocking?: boolean }
>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodeConfig, { from: "pushNotificationConfig" }),
  historyLength: optional(historyLength),
  blocking: optional(boolean),
});

/** These versions define no default for `blocking`: without it the server decides how long the caller waits. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const { blocking, ...configuration } = configurationMembers(value, cursor);
  return blocking === undefined
    ? configuration
    : { ...configuration, returnImmediately: !blocking };
}

const sendMembers = object<SendMessageRequest>({
  tenant: implicit(shortString),
  message: required(withOwnRoles("schema", decodeMessage)),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

/** Several documents have the message's id beside the message. It counts when the message has none. */
const sendMessage: Parser<SendMessageRequest> = (value, cursor) => {
  const outerId = isJsonObject(value) && !cursor.isStrict ? value["messageId"] : undefined;
  if (!isJsonObject(value) || !isJsonObject(value["message"]) || typeof outerId !== "string") {
    return sendMembers(value, cursor);
  }
  const { message } = value;
  const innerId = message["messageId"] ?? "";
  const usesOuter = isBlank(innerId) && !isBlank(outerId);
  return sendMembers(
    usesOuter ? { ...value, message: { ...message, messageId: outerId } } : value,
    cursor,
  );
};

export const decodeRequest: Codec["decodeRequest"] = earlierDecoders((shared) => ({
  ...shared,
  sendMessage,
  sendStreamingMessage: sendMessage,
}));

/**
 * Always sends `acceptedOutputModes`, which servers up to 0.2.5 require, and `blocking`, for which
 * servers have different defaults.
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

/** The encoders of requests. They drop parameters that these versions do not have. */
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
    callMethod: encodeMethodCall,
  };
}
