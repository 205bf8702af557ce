import { isSettled, isTerminal } from "../../protocol/internal.js";
import type { SendMessageRequest, StreamResponse } from "../../protocol/internal.js";
import type { Batches } from "../../async/internal.js";
import { openBySending, openBySubscribing, pollTask } from "./connection.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import { otherTask, StreamPosition } from "./delivered.js";
import { Reconnector } from "./reconnector.js";
import type { ReconnectorOptions } from "./reconnector.js";

export interface FollowOptions extends ConnectionOptions, ReconnectorOptions {
  /** The stream ends when the task has ended or, with `settled`, also when the task waits for its caller. */
  readonly until: "ended" | "settled";
}

/** Follows a task, as `follow` does. */
export type Follow = (
  start: SendMessageRequest | string,
  options: FollowOptions,
) => Batches<StreamResponse>;

/**
 * Sends a message, or watches the task with the given id, as a stream that does not break. When its connection
 * is lost, the events go on where they stopped: by sequence number where the server numbers them, else by
 * comparing the task with what the caller has received, else by polling the task. Ends when the task has ended
 * or waits for its caller, or with an error that says what happened. Never cancels the task. Events that have come
 * together are passed on together.
 */
export async function* follow(
  start: SendMessageRequest | string,
  options: FollowOptions,
): Batches<StreamResponse> {
  const { call, delivered } = options;
  const isOver = (): boolean =>
    delivered.state !== undefined &&
    (options.until === "ended" ? isTerminal : isSettled)(delivered.state);
  const position = new StreamPosition(call.resumeAfter);
  const reconnector = new Reconnector(options);
  const openFirst = (): Connection =>
    typeof start === "string"
      ? openBySubscribing(start, position, options)
      : openBySending(start, position, options);
  let connection = openFirst();
  /** The task that the agent was asked for by this connection; absent while it answers a message. */
  let asked = typeof start === "string" ? start : undefined;
  /** Whether the agent has the message: from then on its task is followed, and nothing is sent again. */
  let hasBegun = asked !== undefined;

  for (;;) {
    let error: Error | undefined;
    try {
      reading: for await (const batch of connection.events) {
        const passed: StreamResponse[] = [];
        try {
          for (const event of batch) {
            const place = position.advance(event);
            if (place === "repeated") continue;
            const other = hasBegun && otherTask(event.response, delivered.taskId);
            if (other && asked !== undefined) throw other;
            // A proxy that duplicates a send makes the agent begin two tasks, whose events come mixed. A new connection begins by comparing the task with what was delivered, which settles either doubt.
            if (place === "unclear" || other) break reading;
            hasBegun = true;
            const news = delivered.receive(event.response);
            reconnector.heard(news.length > 0);
            passed.push(...news);
            if (event.response.message !== undefined || isOver()) return;
          }
        } finally {
          yield passed;
        }
      }
    } catch (caught) {
      call.signal?.throwIfAborted();
      error = caught instanceof Error ? caught : new Error(String(caught));
    } finally {
      connection.stream?.close();
    }

    const taskId = (asked = hasBegun ? delivered.taskId : undefined);
    const { sequence } = position;
    const step = await reconnector.nextStep({ taskId, error, stream: connection.stream, sequence });
    if (taskId === undefined) connection = openFirst();
    else if (step === "poll") connection = { events: pollTask(taskId, options) };
    else connection = openBySubscribing(taskId, position, options);
  }
}
