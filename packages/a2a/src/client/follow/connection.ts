import { A2AError } from "../../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  SendMessageRequest,
  StreamEvent,
} from "../../protocol/internal.js";
import { batchesOf, delay } from "../../async/internal.js";
import type { Batches, Clock } from "../../async/internal.js";
import { WatchedStream } from "../calls/watched-stream.js";
import type { Delivered, StreamPosition } from "./delivered.js";

/** Where a stream takes its events from. */
export interface Connection {
  readonly events: Batches<StreamEvent>;
  /** The connection itself; absent while the task is polled. */
  readonly stream?: WatchedStream;
}

export interface ConnectionOptions {
  readonly card: Pick<AgentCard, "capabilities">;
  readonly service: AgentService;
  readonly call: CallContext;
  readonly clock: Clock;
  readonly stallMs: number;
  readonly pollMs: number;
  /** What the caller has received already; it does not receive any of it again. */
  readonly delivered: Delivered;
}

/** Opens a connection by sending a message. */
export function openBySending(
  request: SendMessageRequest,
  position: StreamPosition,
  options: ConnectionOptions,
): Connection {
  const stream = new WatchedStream({ ...options, mayTakeTime: true });
  const events = stream.watch(send(request, { ...options, call: stream.call }));
  return { events: completed(events, { ...options, stream, position }), stream };
}

/**
 * Sends a message and streams the answer. An agent that does not stream is sent the message once and then
 * polled.
 */
async function* send(
  request: SendMessageRequest,
  options: ConnectionOptions,
): Batches<StreamEvent> {
  const { card, service, call } = options;
  if (card.capabilities.streaming === true) {
    let hasBegun = false;
    try {
      for await (const batch of batchesOf(service.sendStreamingMessage(request, call))) {
        hasBegun = true;
        yield batch;
      }
      return;
    } catch (error) {
      // After any other refusal the agent may have begun, and the message must not be sent twice.
      if (hasBegun || !A2AError.is(error) || error.code !== "METHOD_NOT_FOUND") throw error;
    }
  }
  const configuration = { ...request.configuration, returnImmediately: true };
  const { message, task } = await service.sendMessage({ ...request, configuration }, call);
  if (message !== undefined) return yield [{ response: { message } }];
  yield [{ response: { task } }];
  yield* pollTask(task.id, options);
}

/** Opens a connection that goes on with the stream of a task. */
export function openBySubscribing(
  id: string,
  position: StreamPosition,
  options: ConnectionOptions,
): Connection {
  const { sequence } = position;
  const call = { ...options.call, ...(sequence !== undefined && { resumeAfter: sequence }) };
  const stream = new WatchedStream({ ...options, call, mayTakeTime: false });
  const events = stream.watch(batchesOf(options.service.subscribeToTask({ id }, stream.call)));
  const known = { ...options, stream, position, id };
  return { events: completed(resumed(events, known), known), stream };
}

/** A connection, and how far it has come. */
interface Opened extends ConnectionOptions {
  readonly stream: WatchedStream;
  readonly position: StreamPosition;
}

/** A connection to a task that the caller knows. */
export interface OpenedForTask extends Opened {
  readonly id: string;
}

/**
 * Events, and the task once they have ended or the agent has fallen silent: it shows what they have left out. Events with
 * numbers go on after their number, which is exact.
 */
async function* completed(
  events: Batches<StreamEvent>,
  options: Opened & {
    /** The task; absent while the agent has said nothing of it. */
    readonly id?: string;
  },
): Batches<StreamEvent> {
  const { service, call, delivered, stream, position } = options;
  let { id } = options;
  let fault: Error | undefined;
  try {
    for await (const batch of events) {
      yield batch;
      id = delivered.taskId;
    }
  } catch (error) {
    if (!stream.isStalled || !A2AError.is(error)) throw error;
    fault = error;
  }
  if (id !== undefined && position.sequence === undefined) {
    const task = await service.getTask({ id }, call).catch(() => undefined);
    if (task && delivered.lacks({ task })) yield [{ response: { task } }];
  }
  if (fault) throw fault;
}

/**
 * The events of a connection to a task that the caller knows. Numbered events are passed on once their numbers
 * are seen to go on from the position. What other events bring is found out by looking at the task.
 */
async function* resumed(
  batches: Batches<StreamEvent>,
  options: OpenedForTask,
): Batches<StreamEvent> {
  const { stream, position } = options;
  try {
    const { done, value: batch } = await batches.next();
    if (done === true) return;
    // There is no batch without an event.
    const { response, sequence } = batch[0] as StreamEvent;
    const isContinued =
      sequence !== undefined &&
      (sequence > (position.sequence ?? Infinity) ||
        (position.isNumbered && response.task !== undefined));
    if (isContinued) {
      yield batch;
      return yield* batches;
    }
    const later = await import("../lazy.js");
    yield* batchesOf(later.compareWithTask(batch, batches, options));
  } finally {
    // A caller who leaves ends the request, and gives back its place among the streams to the host.
    stream.close();
    await batches.return();
  }
}

/** The pause between two polls of a task that does not change grows up to this. */
const maxPollMs = 10_000;

/** Polls the task until the reader leaves, for agents that do not stream. */
export async function* pollTask(
  id: string,
  { service, call, clock, pollMs }: ConnectionOptions,
): Batches<StreamEvent> {
  let waitMs = pollMs;
  let last = "";
  for (;;) {
    const task = await service.getTask({ id }, call);
    yield [{ response: { task } }];
    const now = JSON.stringify(task);
    waitMs = now === last ? Math.min(maxPollMs, waitMs * 1.5) : pollMs;
    last = now;
    await delay(clock, waitMs, call.signal);
  }
}
