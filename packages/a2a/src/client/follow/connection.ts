import type { CallContext, StreamEvent } from "../../protocol/internal.js";
import { WatchedStream } from "../calls/watched-stream.js";
import { pollOnEvents } from "./poll-task.js";
import type { PollOptions } from "./poll-task.js";
import type { StreamPosition } from "./stream-position.js";

/** Where a stream takes its events from. */
export interface Connection {
  readonly events: AsyncIterable<StreamEvent>;
  /** The connection itself; absent while the task is polled. */
  readonly stream?: WatchedStream;
}

export interface ConnectionOptions extends PollOptions {
  readonly stallMs: number;
}

/** Opens a connection by sending a message. */
export function openBySending(
  send: (call: CallContext) => AsyncIterable<StreamEvent>,
  options: ConnectionOptions,
): Connection {
  const stream = new WatchedStream(send, { ...options, mayTakeTime: true });
  return { events: stream.events, stream };
}

/** Opens a connection that goes on with the stream of a task. */
export function openBySubscribing(
  id: string,
  position: StreamPosition,
  options: ConnectionOptions,
): Connection {
  const { sequence } = position;
  const stream = new WatchedStream((call) => options.service.subscribeToTask({ id }, call), {
    ...options,
    call: { ...options.call, ...(sequence !== undefined && { resumeAfter: sequence }) },
    mayTakeTime: false,
  });
  return { events: resumed(id, stream, position, options), stream };
}

/**
 * The events of a connection to a task that the caller knows. Numbered events are passed on once their numbers
 * are seen to go on from the position. The caller may have received any other event before: such events only
 * say that the task may have changed, and the task is polled.
 */
async function* resumed(
  id: string,
  { events }: WatchedStream,
  position: StreamPosition,
  options: ConnectionOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const first = await events.next();
  if (first.done === true) return;
  const { response, sequence } = first.value;
  const isTask = response.task !== undefined;
  const isContinued =
    sequence !== undefined &&
    (sequence > (position.sequence ?? Infinity) || (position.isNumbered && isTask));
  if (isContinued) {
    yield first.value;
    yield* events;
    return;
  }
  if (isTask) yield { response };
  yield* pollOnEvents(id, first.value, events, options);
}
