import type { CallContext } from "./call-context.js";
import type { RequestOf, ResultOf } from "./operations.js";
import type { StreamResponse } from "./stream-response.js";

/** One event of a stream and, where the service keeps a log, its place in that log. */
export interface StreamEvent {
  readonly response: StreamResponse;
  readonly sequence?: number;
  /**
   * Encodings of the event, each under a name of its own. Bindings keep them here to encode an event once
   * for all its watchers. Absent when there is only one watcher.
   */
  readonly encodings?: Map<string, unknown>;
  /** Present on a large event: bindings encode it piece by piece, so that nobody else has to wait. */
  readonly isLarge?: true;
}

/**
 * A watcher's place in a stream. Some iterators hold events that have already arrived. To `take` one of
 * them costs no promise and no wait, which `next` always does.
 */
export interface EventIterator extends AsyncIterator<StreamEvent, undefined> {
  /** The next event if it has arrived, otherwise `undefined`. Must not be called while a `next` is pending. */
  take?(): StreamEvent | undefined;
  /**
   * Wakes a reader once: when there is an event to `take`, or else when `next` tells at once how the stream has ended.
   * A reader that waits so costs no promise. There is one reader at a time; a further one replaces it. The reader
   * must not read before `wake` has returned.
   */
  onReady?(reader: { wake(): void }): void;
  /** True when nothing comes after what has been taken: the next `next` tells the end, or a failure. */
  readonly isOver?: boolean;
}

/**
 * Everything that can answer A2A: a runtime with an agent behind it, a client with a remote agent
 * behind it, a gateway. Requests and results are the 1.0 data model; no transport is visible. Methods
 * and the iterators of streams reject with an `A2AError` and nothing else. A watcher who leaves a
 * stream early ends the watching, never the work.
 */
export interface AgentService {
  sendMessage(
    request: RequestOf<"sendMessage">,
    call: CallContext,
  ): Promise<ResultOf<"sendMessage">>;
  sendStreamingMessage(
    request: RequestOf<"sendStreamingMessage">,
    call: CallContext,
  ): AsyncIterable<StreamEvent>;
  getTask(request: RequestOf<"getTask">, call: CallContext): Promise<ResultOf<"getTask">>;
  listTasks(request: RequestOf<"listTasks">, call: CallContext): Promise<ResultOf<"listTasks">>;
  cancelTask(request: RequestOf<"cancelTask">, call: CallContext): Promise<ResultOf<"cancelTask">>;
  subscribeToTask(
    request: RequestOf<"subscribeToTask">,
    call: CallContext,
  ): AsyncIterable<StreamEvent>;
  createTaskPushNotificationConfig(
    request: RequestOf<"createTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<ResultOf<"createTaskPushNotificationConfig">>;
  getTaskPushNotificationConfig(
    request: RequestOf<"getTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<ResultOf<"getTaskPushNotificationConfig">>;
  listTaskPushNotificationConfigs(
    request: RequestOf<"listTaskPushNotificationConfigs">,
    call: CallContext,
  ): Promise<ResultOf<"listTaskPushNotificationConfigs">>;
  deleteTaskPushNotificationConfig(
    request: RequestOf<"deleteTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<ResultOf<"deleteTaskPushNotificationConfig">>;
  getExtendedAgentCard(
    request: RequestOf<"getExtendedAgentCard">,
    call: CallContext,
  ): Promise<ResultOf<"getExtendedAgentCard">>;
  /**
   * Calls a method that an extension of the agent defines. Rejects with `METHOD_NOT_FOUND` for any other, and with
   * `EXTENSION_SUPPORT_REQUIRED` when the call does not activate the extension.
   */
  callMethod(request: RequestOf<"callMethod">, call: CallContext): Promise<ResultOf<"callMethod">>;
}

/**
 * A service that a program may call without a context, as it calls one in its own process. Such a call is
 * anonymous and in version 1.0; to a remote agent it goes in the agent's version. Who implements a service
 * implements `AgentService`, and always gets a context.
 */
export type CallableService = {
  readonly [O in keyof AgentService]: (
    request: Parameters<AgentService[O]>[0],
    call?: CallContext,
  ) => ReturnType<AgentService[O]>;
};
