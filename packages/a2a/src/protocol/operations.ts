import type { AgentCard } from "./agent-card.js";
import type { JsonObject, JsonValue } from "./json.js";
import type { Message } from "./message.js";
import type { TaskPushNotificationConfig } from "./push-notification.js";
import type { StreamResponse } from "./stream-response.js";
import type { TaskState } from "./task-state.js";
import type { Task } from "./task.js";

/** How the caller wants a message to be answered (§3.2.2). */
export interface SendMessageConfiguration {
  readonly acceptedOutputModes?: readonly string[];
  readonly taskPushNotificationConfig?: TaskPushNotificationConfig;
  /** At most this many recent messages in the answer; 0 is none, absent is the server's choice. */
  readonly historyLength?: number;
  /**
   * Answer as soon as the task exists, not only when it has ended or waits for its caller. Absent is `false` in 1.0; a
   * caller of an earlier version then waits no longer than the server lets it.
   */
  readonly returnImmediately?: boolean;
}

/** A message for an agent, and how to answer it (§3.1.1). */
export interface SendMessageRequest {
  readonly tenant?: string;
  readonly message: Message;
  readonly configuration?: SendMessageConfiguration;
  readonly metadata?: JsonObject;
}

/** A task or a direct answer: exactly one member (§3.1.1). */
export type SendMessageResponse =
  | { readonly task: Task; readonly message?: never }
  | { readonly message: Message; readonly task?: never };

export interface GetTaskRequest {
  readonly tenant?: string;
  readonly id: string;
  readonly historyLength?: number;
}

/** Which tasks to list, and which page of them (§3.1.4). */
export interface ListTasksRequest {
  readonly tenant?: string;
  readonly contextId?: string;
  readonly status?: TaskState;
  /** From 1 to 100; 50 when absent. */
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  /** Tasks whose status changed at or after this moment. */
  readonly statusTimestampAfter?: string;
  readonly includeArtifacts?: boolean;
}

/** One page of tasks (§3.1.4). */
export interface ListTasksResponse {
  readonly tasks: readonly Task[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  readonly pageSize: number;
  /** How many tasks match, over all pages. */
  readonly totalSize: number;
}

export interface CancelTaskRequest {
  readonly tenant?: string;
  readonly id: string;
  readonly metadata?: JsonObject;
}

export interface SubscribeToTaskRequest {
  readonly tenant?: string;
  readonly id: string;
}

export interface GetTaskPushNotificationConfigRequest {
  readonly tenant?: string;
  readonly taskId: string;
  /** Required in 1.0. Callers of earlier versions may leave it out: they mean the default one, or else any. */
  readonly id?: string;
}

export interface ListTaskPushNotificationConfigsRequest {
  readonly tenant?: string;
  readonly taskId: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
}

export interface ListTaskPushNotificationConfigsResponse {
  readonly configs?: readonly TaskPushNotificationConfig[];
  readonly nextPageToken?: string;
}

export interface DeleteTaskPushNotificationConfigRequest {
  readonly tenant?: string;
  readonly taskId: string;
  readonly id: string;
}

export interface GetExtendedAgentCardRequest {
  readonly tenant?: string;
}

/** A call of a method that an extension of the agent defines (§4.6). */
export interface CallMethodRequest {
  readonly tenant?: string;
  /** The method's own name, such as `acme/quote`. */
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a service can be asked, with the request and one answer of each. */
export interface Operations {
  sendMessage: { request: SendMessageRequest; result: SendMessageResponse };
  sendStreamingMessage: { request: SendMessageRequest; result: StreamResponse };
  getTask: { request: GetTaskRequest; result: Task };
  listTasks: { request: ListTasksRequest; result: ListTasksResponse };
  cancelTask: { request: CancelTaskRequest; result: Task };
  subscribeToTask: { request: SubscribeToTaskRequest; result: StreamResponse };
  createTaskPushNotificationConfig: {
    request: TaskPushNotificationConfig & { readonly taskId: string };
    result: TaskPushNotificationConfig;
  };
  getTaskPushNotificationConfig: {
    request: GetTaskPushNotificationConfigRequest;
    result: TaskPushNotificationConfig;
  };
  listTaskPushNotificationConfigs: {
    request: ListTaskPushNotificationConfigsRequest;
    result: ListTaskPushNotificationConfigsResponse;
  };
  deleteTaskPushNotificationConfig: {
    request: DeleteTaskPushNotificationConfigRequest;
    result: void;
  };
  getExtendedAgentCard: { request: GetExtendedAgentCardRequest; result: AgentCard };
  callMethod: { request: CallMethodRequest; result: JsonValue };
}

/** The name of an operation, such as `sendMessage`. */
export type Operation = keyof Operations;
/**
 * The name of an operation that the specification defines, so that every dialect has a spelling for it. `callMethod`
 * has none: it stands for whatever methods the extensions of an agent define.
 */
export type ProtocolOperation = Exclude<Operation, "callMethod">;
/** The name of an operation that is answered with a stream of events. */
export type StreamingOperation = "sendStreamingMessage" | "subscribeToTask";
/** The name of an operation that is answered once. */
export type UnaryOperation = Exclude<Operation, StreamingOperation>;
/** The request of an operation: `RequestOf<"getTask">`. */
export type RequestOf<O extends Operation> = Operations[O]["request"];
/** The result of an operation: `ResultOf<"getTask">`. */
export type ResultOf<O extends Operation> = Operations[O]["result"];

/** The operations in the order of the specification. */
export const operations: readonly ProtocolOperation[] = [
  "sendMessage",
  "sendStreamingMessage",
  "getTask",
  "listTasks",
  "cancelTask",
  "subscribeToTask",
  "createTaskPushNotificationConfig",
  "getTaskPushNotificationConfig",
  "listTaskPushNotificationConfigs",
  "deleteTaskPushNotificationConfig",
  "getExtendedAgentCard",
];

/** True for the operations that answer with a stream. */
export function isStreaming(operation: Operation): operation is StreamingOperation {
  return operation === "sendStreamingMessage" || operation === "subscribeToTask";
}
