import { A2AError, isSettled } from "../../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  SendMessageRequest,
  StreamEvent,
} from "../../protocol/internal.js";
import { delay } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { WatchedStream } from "../calls/watched-stream.js";
import { otherTask } from "./delivered.js";
import type { StreamPosition } from "./delivered.js";

/** Where a stream takes its events from. */
export interface Connection {
  readonly events: AsyncIterable<StreamEvent>;
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
}

/** Opens a connection by sending a message. */
export function openBySending(request: SendMessageRequest, options: ConnectionOptions): Connection {
  const stream = new WatchedStream({ ...options, mayTakeTime: true });
  return { events: stream.watch(send(request, { ...options, call: stream.call })), stream };
}

/**
 * Sends a message and streams the answer. An agent that does not stream is sent the message once and then
 * polled.
 */
async function* send(
  request: SendMessageRequest,
  options: ConnectionOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const { card, service, call } = options;
  if (card.capabilities.streaming === true) {
    let hasBegun = false;
    try {
      for await (const event of service.sendStreamingMessage(request, call)) {
        hasBegun = true;
        yield event;
      }
      return;
    } catch (error) {
      // After any other refusal the agent may have begun, and the message must not be sent twice.
      if (hasBegun || !A2AError.is(error) || error.code !== "METHOD_NOT_FOUND") throw error;
    }
  }
  const configuration = { ...request.configuration, returnImmediately: true };
  const { message, task } = await service.sendMessage({ ...request, configuration }, call);
  if (message !== undefined) return yield { response: { message } };
  yield { response: { task } };
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
  const events = stream.watch(options.service.subscribeToTask({ id }, stream.call));
  return { events: resumed(id, events, position, options), stream };
}

/**
 * The events of a connection to a task that the caller knows. Numbered events are passed on once their numbers
 * are seen to go on from the position. The caller may have received any other event before: such events only
 * say that the task may have changed, and the task is polled.
 */
async function* resumed(
  id: string,
  events: AsyncGenerator<StreamEvent, void, void>,
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

/** The pause between two polls of a task that does not change grows up to this. */
const maxPollMs = 10_000;

/** Polls the task until the reader leaves, for agents that do not stream. */
export async function* pollTask(
  id: string,
  { service, call, clock, pollMs }: ConnectionOptions,
): AsyncGenerator<StreamEvent, void, void> {
  let waitMs = pollMs;
  let last = "";
  for (;;) {
    const task = await service.getTask({ id }, call);
    yield { response: { task } };
    const now = JSON.stringify(task);
    waitMs = now === last ? Math.min(maxPollMs, waitMs * 1.5) : pollMs;
    last = now;
    await delay(clock, waitMs, call.signal);
  }
}

/**
 * Polls the task at once and then when events arrive, once for all events of an interval. After an event
 * that says that the task has settled, polls until the task itself says so.
 */
async function* pollOnEvents(
  id: string,
  first: StreamEvent,
  events: AsyncIterable<StreamEvent>,
  { service, call, clock, pollMs }: ConnectionOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const changes = new ChangeSignal(id, first, events);
  while (await changes.next()) {
    const task = await service.getTask({ id }, call);
    if (isSettled(task.status.state)) changes.isSettling = false;
    yield { response: { task } };
    await delay(clock, pollMs, call.signal);
  }
}

/** Reads events to learn that the task has changed, not how. Any number of events makes one change. */
class ChangeSignal {
  /** An event said that the task has settled, and no poll has seen that yet. */
  isSettling = false;
  #hasChanged = false;
  #hasEnded = false;
  readonly #id: string;
  readonly #reading: Promise<void>;
  #wake: () => void = () => undefined;

  constructor(id: string, first: StreamEvent, others: AsyncIterable<StreamEvent>) {
    this.#id = id;
    this.#reading = this.#read(first, others);
    // `next` throws the error; a reader that has left does not ask for it.
    this.#reading.catch(() => undefined);
  }

  /**
   * Resolves to true once the task has changed since the last call, and to false when the events have
   * ended.
   */
  async next(): Promise<boolean> {
    while (!this.#hasChanged && !this.isSettling && !this.#hasEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#hasChanged || this.isSettling) {
      this.#hasChanged = false;
      return true;
    }
    await this.#reading;
    return false;
  }

  #note({ response }: StreamEvent): void {
    const other = otherTask(response, this.#id);
    if (other) throw other;
    const { state } = response.statusUpdate?.status ?? response.task?.status ?? {};
    this.#hasChanged = true;
    if (state !== undefined) this.isSettling = isSettled(state);
    this.#wake();
  }

  async #read(first: StreamEvent, events: AsyncIterable<StreamEvent>): Promise<void> {
    try {
      this.#note(first);
      for await (const event of events) this.#note(event);
    } finally {
      this.#hasEnded = true;
      this.#wake();
    }
  }
}
