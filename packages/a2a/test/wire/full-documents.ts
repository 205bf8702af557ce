/** One document of every kind with every member that a dialect has, and how it is read. */
import { isStreaming, operations } from "../../src/protocol/internal.js";
import type {
  Artifact,
  Message,
  Operation,
  RequestOf,
  ResultOf,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import {
  clientCursor,
  eventContext,
  hasOperation,
  plainOperations,
  serverCursor,
  throughJson,
} from "./exchange.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";

/** A document as it is on the wire, and its reader. */
export interface Document {
  readonly name: string;
  readonly json: unknown;
  readonly isRequest: boolean;
  readonly read: (json: unknown) => unknown;
}

const metadata = { name: { list: [1, "two", null] } };

const message: Message = {
  messageId: "m1",
  role: "ROLE_USER",
  parts: [
    { text: "hi", metadata },
    { raw: "aGk=", mediaType: "image/png", filename: "a.png", metadata },
    { url: "https://a.example/b.png", mediaType: "image/png", filename: "b.png" },
    { data: { name: [{ value: 1 }] } },
  ],
  contextId: "c1",
  taskId: "t1",
  referenceTaskIds: ["t0"],
  extensions: ["https://a.example/extension"],
  metadata,
};

const artifact: Artifact = {
  artifactId: "a1",
  parts: [{ text: "x" }],
  name: "n",
  description: "d",
  extensions: ["https://a.example/extension"],
  metadata,
};

const task: Task = {
  id: "t1",
  contextId: "c1",
  status: { state: "TASK_STATE_WORKING", message, timestamp: "2026-01-02T03:04:05.678Z" },
  artifacts: [artifact],
  history: [message],
  metadata,
};

const config: TaskPushNotificationConfig & { readonly taskId: string } = {
  tenant: "acme",
  id: "p1",
  taskId: "t1",
  url: "https://a.example/hook",
  token: "k",
  authentication: { scheme: "Bearer", credentials: "s", schemes: ["Bearer", "Basic"] },
  headers: { "X-Key": "s" },
};

const { taskId: _, ...inlineConfig } = config;

const send: RequestOf<"sendMessage"> = {
  tenant: "acme",
  message,
  configuration: {
    acceptedOutputModes: ["text/plain"],
    taskPushNotificationConfig: inlineConfig,
    historyLength: 2,
    returnImmediately: true,
  },
  metadata,
};

const fullRequests: { readonly [O in Operation]: RequestOf<O> } = {
  sendMessage: send,
  sendStreamingMessage: send,
  getTask: { tenant: "acme", id: "t1", historyLength: 2 },
  listTasks: {
    tenant: "acme",
    contextId: "c1",
    status: "TASK_STATE_WORKING",
    pageSize: 10,
    pageToken: "next",
    historyLength: 2,
    statusTimestampAfter: "2026-01-02T03:04:05.678Z",
    includeArtifacts: true,
  },
  cancelTask: { tenant: "acme", id: "t1", metadata },
  subscribeToTask: { tenant: "acme", id: "t1" },
  createTaskPushNotificationConfig: config,
  getTaskPushNotificationConfig: { tenant: "acme", taskId: "t1", id: "p1" },
  listTaskPushNotificationConfigs: {
    tenant: "acme",
    taskId: "t1",
    pageSize: 10,
    pageToken: "next",
  },
  deleteTaskPushNotificationConfig: { tenant: "acme", taskId: "t1", id: "p1" },
  getExtendedAgentCard: { tenant: "acme" },
  callMethod: { tenant: "acme", method: "acme/quote", params: metadata },
};

const fullResults: { readonly [O in PlainOperation]: ResultOf<O> } = {
  sendMessage: { task },
  getTask: task,
  listTasks: { tasks: [task], nextPageToken: "next", pageSize: 10, totalSize: 1 },
  cancelTask: task,
  createTaskPushNotificationConfig: config,
  getTaskPushNotificationConfig: config,
  listTaskPushNotificationConfigs: { configs: [config], nextPageToken: "next" },
  deleteTaskPushNotificationConfig: undefined,
};

const fullEvents: readonly StreamResponse[] = [
  { task },
  { message },
  { statusUpdate: { taskId: "t1", contextId: "c1", status: task.status, metadata } },
  {
    artifactUpdate: {
      taskId: "t1",
      contextId: "c1",
      artifact,
      append: true,
      lastChunk: true,
      metadata,
    },
  },
];

/** Every document of a dialect, apart from agent cards, which have tests of their own. */
export function fullDocuments(dialect: Dialect): readonly Document[] {
  const has = (operation: Operation): boolean => hasOperation(dialect, operation);
  const { encodeEvent, decodeEvent } = codecs[dialect];
  const events = fullEvents
    .flatMap((event) => encodeEvent(event, eventContext(true)))
    .map((json, index) => ({
      name: `event ${index}`,
      json: throughJson(json),
      isRequest: false,
      read: (value: unknown) => decodeEvent(value, clientCursor(), {}),
    }));
  return [
    ...operations.filter(has).map((operation) => requestDocument(dialect, operation)),
    ...plainOperations
      .filter((operation) => has(operation) && !isStreaming(operation))
      .map((operation) => resultDocument(dialect, operation)),
    ...events,
    pushDocument(dialect),
  ];
}

function requestDocument<O extends Operation>(dialect: Dialect, operation: O): Document {
  const { encodeRequest, decodeRequest } = codecs[dialect];
  return {
    name: `request for ${operation}`,
    json: throughJson(encodeRequest[operation](fullRequests[operation])),
    isRequest: true,
    read: (json) => decodeRequest[operation](json, serverCursor()),
  };
}

function resultDocument<O extends PlainOperation>(dialect: Dialect, operation: O): Document {
  const { encodeResult, decodeResult } = codecs[dialect];
  const json = encodeResult[operation](fullResults[operation], fullRequests[operation]);
  return {
    name: `result of ${operation}`,
    json: throughJson(json),
    isRequest: false,
    read: (value) => decodeResult[operation](value, clientCursor(), {}),
  };
}

function pushDocument(dialect: Dialect): Document {
  const { encodePushPayload, decodePushPayload } = codecs[dialect];
  return {
    name: "push notification",
    json: throughJson(encodePushPayload({ task }, task).body),
    isRequest: false,
    read: (json) => decodePushPayload(json, clientCursor()),
  };
}
