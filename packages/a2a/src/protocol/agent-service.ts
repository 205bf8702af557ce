import type { CallContext } from "./call-context.js";
import type { RequestOf, ResultOf } from "./operations.js";
import type { StreamResponse } from "./stream-response.js";

/** One event of a stream and, where the service keeps a log, its place in that log. */
export interface StreamEvent {
  readonly response: StreamResponse;
  readonly sequence?: number;
  /**
   * What bindings have made of the event, each under a name of its own, so that it is done once for all who
   * watch. Absent where nobody else does.
   */
  readonly encodings?: Map<string, unknown>;
}

/**
 * A reader's place in a stream. Some also have what has come already at hand: to take that costs nothing
 * but the taking, where to ask for the next event costs a wait, however short.
 */
export interface EventIterator extends AsyncIterator<StreamEvent, undefined> {
  /** The next event if it is there, `undefined` if it has to be waited for. Not while a `next` is under way. */
  take?(): StreamEvent | undefined;
}

/**
 * Everything that can answer A2A: a runtime with an agent behind it, a client with someone else's
 * agent behind it, a gateway. Requests and results are the 1.0 data model; no transport is visible.
 * A method rejects with an `A2AError` and nothing else. A stream's iterator rejects likewise;
 * leaving it early ends the watching, never the work.
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
}
