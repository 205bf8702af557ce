import { isSettled, isTerminal } from "../../protocol/internal.js";
import type { CallContext, StreamEvent, StreamResponse } from "../../protocol/internal.js";
import { waitToRetry } from "../calls/backoff.js";
import type { BackoffOptions } from "../calls/backoff.js";
import { errorOf, isRefusedStream } from "../calls/failures.js";
import { openBySending, openBySubscribing } from "./connection.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import type { Delivered } from "./delivered.js";
import { pollTask } from "./poll-task.js";
import { StreamPosition } from "./stream-position.js";
import { Reconnector } from "./reconnector.js";
import type { ReconnectorOptions } from "./reconnector.js";

/** How a stream goes on after its connection was lost. */
export interface Reconnection {
  readonly taskId: string;
  /** Counted from 1, and anew once the stream has gone on. */
  readonly attempt: number;
  /**
   * `sequence`: after the number of the last event, which is exact. `comparison`: by comparing the task with
   * what the caller has received, which is exact for artifacts and for the state, but misses statuses that
   * came and went meanwhile. `polling`: by comparison too, of the task as it is polled.
   */
  readonly by: "sequence" | "comparison" | "polling";
  /** Absent when the agent closed the connection as if it had said everything. */
  readonly error?: Error;
}

export interface FollowOptions extends ConnectionOptions, ReconnectorOptions, BackoffOptions {
  /** The stream ends when the task has ended or, with `settled`, also when the task waits for its caller. */
  readonly until: "ended" | "settled";
  /** What the caller has received already; it does not receive any of it again. */
  readonly delivered: Delivered;
  readonly onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

/** Sends a message, or is the id of a task to watch. */
export type FollowStart = string | ((call: CallContext) => AsyncIterable<StreamEvent>);

/**
 * A stream that does not break. When its connection is lost, the events go on where they stopped: by
 * sequence number where the server numbers them, else by comparing the task with what the caller has
 * received, else by polling the task. Ends when the task has ended or waits for its caller, or with an error
 * that says what happened. Never cancels the task.
 */
export async function* follow(
  start: FollowStart,
  options: FollowOptions,
): AsyncGenerator<StreamResponse, void, void> {
  const { call, delivered } = options;
  const position = new StreamPosition(call.resumeAfter);
  const reconnector = new Reconnector(options);
  const openFirst = (): Connection =>
    typeof start === "string"
      ? openBySubscribing(start, position, options)
      : openBySending(start, options);
  let connection = openFirst();
  /** Whether the agent has the message: from then on its task is followed, and nothing is sent again. */
  let hasBegun = typeof start === "string";

  for (;;) {
    let error: Error | undefined;
    try {
      for await (const event of connection.events) {
        const isOther = hasBegun && isOfAnotherTask(event.response, delivered);
        const place = position.advance(event);
        if (place === "repeated") continue;
        // A new connection begins by comparing the task with what was delivered, which settles either doubt.
        if (place === "unclear" || isOther) break;
        hasBegun = true;
        const news = newsIn(event.response, delivered);
        reconnector.heard(news.length > 0);
        for (const response of news) {
          delivered.add(response);
          yield response;
        }
        if (event.response.message !== undefined || isOver(delivered, options)) return;
      }
    } catch (caught) {
      call.signal?.throwIfAborted();
      error = errorOf(caught);
    } finally {
      connection.stream?.close();
    }

    const taskId = hasBegun ? delivered.taskId : undefined;
    const next = reconnector.after({ taskId, error, stream: connection.stream });
    if (next instanceof Error) throw next;
    if (taskId !== undefined) {
      options.onReconnect?.({
        taskId,
        attempt: reconnector.attempts,
        by:
          next === "poll" ? "polling" : position.sequence === undefined ? "comparison" : "sequence",
        ...(error !== undefined && { error }),
      });
    }
    // An agent that refuses to stream a task is there, and can be polled at once.
    if (!isRefusedStream(error)) {
      await waitToRetry(options, reconnector.attempts - 1, error, call.signal);
    }
    if (taskId === undefined) connection = openFirst();
    else if (next === "poll") connection = { events: pollTask(taskId, options) };
    else connection = openBySubscribing(taskId, position, options);
  }
}

/** What of a response the caller has not received yet. */
function newsIn(response: StreamResponse, delivered: Delivered): readonly StreamResponse[] {
  const { task } = response;
  return task !== undefined && task.id === delivered.taskId ? delivered.missing(task) : [response];
}

/** A proxy that duplicates a send makes the agent begin two tasks, whose events come mixed. */
function isOfAnotherTask(
  { task, statusUpdate, artifactUpdate }: StreamResponse,
  { taskId }: Delivered,
): boolean {
  const other = task?.id ?? (statusUpdate ?? artifactUpdate)?.taskId;
  return other !== undefined && other !== taskId;
}

function isOver({ state }: Delivered, { until }: FollowOptions): boolean {
  if (state === undefined) return false;
  return until === "ended" ? isTerminal(state) : isSettled(state);
}
