import type {
  RequestOf,
  SendMessageConfiguration,
  SendMessageRequest,
  TaskPushNotificationConfig,
} from "../../protocol/internal.js";
import {
  array,
  boolean,
  historyLength,
  identifier,
  identifierOrEmpty,
  implicit,
  integer,
  isCleanMessage,
  jsonObject,
  object,
  optional,
  required,
  shortString,
  string,
  timestamp,
} from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { withOwnRoles } from "../members/strict-role.js";
import { decodeTaskState } from "../members/task-state.js";
import { decodeMethodCall } from "../method-call.js";
import { decodeMessage } from "./message.js";
import { decodePushNotificationConfig } from "./decode-push-config.js";

const tenant = implicit(shortString);

const configurationMembers = object<SendMessageConfiguration & { readonly blocking?: boolean }>({
  acceptedOutputModes: implicit(array(string)),
  taskPushNotificationConfig: optional(decodePushNotificationConfig, {
    aliases: ["pushNotificationConfig"],
  }),
  historyLength: optional(historyLength),
  returnImmediately: optional(boolean),
  blocking: optional(boolean),
});

/** The release candidate of 1.0 had `blocking`, the opposite of `returnImmediately`. */
function decodeConfiguration(value: unknown, cursor: Cursor): SendMessageConfiguration {
  const parsed = configurationMembers(value, cursor);
  if (parsed.blocking === undefined && parsed.returnImmediately !== false) return parsed;
  const { blocking, returnImmediately = blocking === false, ...rest } = parsed;
  return returnImmediately ? { ...rest, returnImmediately } : rest;
}

const decodeOther = withOwnRoles("proto", decodeMessage);

const sendMessage = object<SendMessageRequest>({
  tenant,
  message: required((value, cursor) =>
    isCleanMessage(value, cursor) ? value : decodeOther(value, cursor),
  ),
  configuration: optional(decodeConfiguration),
  metadata: optional(jsonObject),
});

function createPushConfig(
  value: unknown,
  cursor: Cursor,
): TaskPushNotificationConfig & { readonly taskId: string } {
  const config = decodePushNotificationConfig(value, cursor);
  const taskId = config.taskId ?? cursor.fail("this member is required", "taskId");
  return { ...config, taskId };
}

const pageToken = implicit(shortString);

export const decodeRequest: Codec["decodeRequest"] = {
  sendMessage,
  sendStreamingMessage: sendMessage,
  getTask: object<RequestOf<"getTask">>({
    tenant,
    id: required(identifier),
    historyLength: optional(historyLength),
  }),
  listTasks: object<RequestOf<"listTasks">>({
    tenant,
    contextId: implicit(identifierOrEmpty),
    status: optional(decodeTaskState),
    pageSize: optional(integer(1, 100)),
    pageToken,
    historyLength: optional(historyLength),
    statusTimestampAfter: optional(timestamp),
    includeArtifacts: optional(boolean),
  }),
  cancelTask: object<RequestOf<"cancelTask">>({
    tenant,
    id: required(identifier),
    metadata: optional(jsonObject),
  }),
  subscribeToTask: object<RequestOf<"subscribeToTask">>({ tenant, id: required(identifier) }),
  createTaskPushNotificationConfig: createPushConfig,
  getTaskPushNotificationConfig: object<RequestOf<"getTaskPushNotificationConfig">>({
    tenant,
    taskId: required(identifier),
    id: required(identifier, { aliases: ["pushNotificationConfigId"] }),
  }),
  listTaskPushNotificationConfigs: object<RequestOf<"listTaskPushNotificationConfigs">>({
    tenant,
    taskId: required(identifier),
    pageSize: implicit(integer(0)),
    pageToken,
  }),
  deleteTaskPushNotificationConfig: object<RequestOf<"deleteTaskPushNotificationConfig">>({
    tenant,
    taskId: required(identifier),
    id: required(identifier, { aliases: ["pushNotificationConfigId"] }),
  }),
  getExtendedAgentCard: orEmpty(object<RequestOf<"getExtendedAgentCard">>({ tenant })),
  callMethod: decodeMethodCall,
};

/** For the only operation whose parameters may be absent altogether. */
function orEmpty<T>(parse: Parser<T>): Parser<T> {
  return (value, cursor) => parse(value ?? {}, cursor);
}
