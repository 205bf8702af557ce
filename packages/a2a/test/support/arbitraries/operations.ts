/** Requests and results of every operation, and errors, as fast-check generates them. */
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { errorCodes } from "../../../src/protocol/internal.js";
import type {
  ErrorCode,
  ErrorDetails,
  Operation,
  ProtocolOperation,
  RequestOf,
  ResultOf,
  SendMessageConfiguration,
  SendMessageRequest,
  UnaryOperation,
} from "../../../src/protocol/internal.js";
import {
  filledText,
  identifier,
  inlinePushConfig,
  jsonObject,
  list,
  message,
  pushConfig,
  record,
  task,
  taskState,
  text,
  timestamp,
} from "./model.js";

const tenant = filledText;
const historyLength = fc.oneof(fc.nat(3), fc.constant(2_147_483_647));
const count = fc.nat(2_147_483_647);

const configuration: Arbitrary<SendMessageConfiguration> = record(
  {
    acceptedOutputModes: list(text),
    taskPushNotificationConfig: inlinePushConfig,
    historyLength,
    returnImmediately: fc.constant(true),
  },
  [],
);

const send: Arbitrary<SendMessageRequest> = record(
  { tenant, message, configuration, metadata: jsonObject },
  ["message"],
);

/** A request of every operation. */
export const requests: { readonly [O in Operation]: Arbitrary<RequestOf<O>> } = {
  sendMessage: send,
  sendStreamingMessage: send,
  getTask: record({ tenant, id: identifier, historyLength }, ["id"]),
  listTasks: record(
    {
      tenant,
      contextId: identifier,
      status: taskState,
      pageSize: fc.integer({ min: 1, max: 100 }),
      pageToken: filledText,
      historyLength,
      statusTimestampAfter: timestamp,
      includeArtifacts: fc.boolean(),
    },
    [],
  ),
  cancelTask: record({ tenant, id: identifier, metadata: jsonObject }, ["id"]),
  subscribeToTask: record({ tenant, id: identifier }, ["id"]),
  createTaskPushNotificationConfig: pushConfig,
  getTaskPushNotificationConfig: record({ tenant, taskId: identifier, id: identifier }, [
    "taskId",
    "id",
  ]),
  listTaskPushNotificationConfigs: record(
    {
      tenant,
      taskId: identifier,
      pageSize: fc.integer({ min: 1, max: 2_147_483_647 }),
      pageToken: filledText,
    },
    ["taskId"],
  ),
  deleteTaskPushNotificationConfig: record({ tenant, taskId: identifier, id: identifier }, [
    "taskId",
    "id",
  ]),
  getExtendedAgentCard: record({ tenant }, []),
  callMethod: record(
    { tenant, method: fc.constantFrom("acme/quote", "Quote"), params: jsonObject },
    ["method", "params"],
  ),
};

/** Agent cards have tests of their own. */
export type PlainOperation = Exclude<UnaryOperation & ProtocolOperation, "getExtendedAgentCard">;

/** A result of every operation that is answered once. */
export const results: { readonly [O in PlainOperation]: Arbitrary<ResultOf<O>> } = {
  sendMessage: fc.oneof(record({ task }, ["task"]), record({ message }, ["message"])) as Arbitrary<
    ResultOf<"sendMessage">
  >,
  getTask: task,
  listTasks: record(
    {
      tasks: fc.array(task, { maxLength: 2 }),
      nextPageToken: text,
      pageSize: count,
      totalSize: count,
    },
    ["tasks", "nextPageToken", "pageSize", "totalSize"],
  ),
  cancelTask: task,
  createTaskPushNotificationConfig: pushConfig,
  getTaskPushNotificationConfig: pushConfig,
  listTaskPushNotificationConfigs: record(
    { configs: list(pushConfig), nextPageToken: filledText },
    [],
  ),
  deleteTaskPushNotificationConfig: fc.constant(undefined),
};

const metadataName = fc
  .oneof(text, fc.constantFrom("taskId", "reason", "details", "retryAfter", "fieldViolations"))
  .filter((name) => name !== "__proto__");

const details = record(
  {
    fieldViolations: list(record({ field: text, description: text }, ["field", "description"])),
    metadata: fc.dictionary(metadataName, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
    retryAfterSeconds: fc.nat(86_400),
  },
  [],
);

/** What an error is made of, rather than the error, so that a failing test prints it. */
export interface PlainError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export const plainError: Arbitrary<PlainError> = record(
  { code: fc.constantFrom<ErrorCode[]>(...errorCodes), message: filledText, details },
  ["code", "message", "details"],
);
