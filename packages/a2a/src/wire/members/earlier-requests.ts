import type { ListTasksRequest, RequestOf } from "../../protocol/internal.js";
import {
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
  shortString,
  timestamp,
} from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { Codec } from "../codec.js";
import { decodeMethodCall } from "../method-call.js";
import { decodeTaskPushConfig } from "./push-config.js";
import { decodeTaskState } from "./task-state.js";

const tenant = implicit(shortString);
const taskId = required(identifier, { from: "id", aliases: ["taskId"] });

type SharedDecoders = Omit<Codec["decodeRequest"], "sendMessage" | "sendStreamingMessage">;

/**
 * The parameters of requests that carry no message, which all versions before 1.0 have in common: a task
 * is named by `id`, a push configuration by `pushNotificationConfigId`.
 */
const shared: SharedDecoders = {
  callMethod: decodeMethodCall,
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
      pageToken: implicit(shortString),
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
  createTaskPushNotificationConfig: decodeTaskPushConfig,
  getTaskPushNotificationConfig: object<RequestOf<"getTaskPushNotificationConfig">>({
    tenant,
    taskId,
    id: implicit(identifierOrEmpty, { from: "pushNotificationConfigId" }),
  }),
  listTaskPushNotificationConfigs: object<RequestOf<"listTaskPushNotificationConfigs">>({
    tenant,
    taskId,
    pageSize: implicit(integer(0)),
    pageToken: implicit(shortString),
  }),
  deleteTaskPushNotificationConfig: object<RequestOf<"deleteTaskPushNotificationConfig">>({
    tenant,
    taskId,
    id: required(identifier, { from: "pushNotificationConfigId" }),
  }),
  getExtendedAgentCard: optionalParams(object<RequestOf<"getExtendedAgentCard">>({ tenant })),
};

/** The decoders of a version before 1.0. Bundles of clients, which decode no requests, leave them out. */
/* @__NO_SIDE_EFFECTS__ */
export function earlierDecoders(
  create: (shared: SharedDecoders) => Codec["decodeRequest"],
): Codec["decodeRequest"] {
  return create(shared);
}

/* @__NO_SIDE_EFFECTS__ */
function optionalParams<T>(parse: Parser<T>): Parser<T> {
  return (value, cursor) => parse(value ?? {}, cursor);
}
