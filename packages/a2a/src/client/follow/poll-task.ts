import { isSettled } from "../../protocol/internal.js";
import type { AgentService, CallContext, StreamEvent } from "../../protocol/internal.js";
import { delay } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { errorOf } from "../calls/failures.js";

export interface PollOptions {
  readonly service: AgentService;
  readonly call: CallContext;
  readonly clock: Clock;
  readonly pollMs: number;
}

/** The pause between two polls of a task that does not change grows up to this. */
const maxPollMs = 10_000;

/** Polls the task until the reader leaves, for agents that do not stream. */
export async function* pollTask(
  id: string,
  { service, call, clock, pollMs }: PollOptions,
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
export async function* pollOnEvents(
  id: string,
  first: StreamEvent,
  events: AsyncIterable<StreamEvent>,
  { service, call, clock, pollMs }: PollOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const changes = new ChangeSignal(first, events);
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
  #ended: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  constructor(first: StreamEvent, others: AsyncIterable<StreamEvent>) {
    this.#note(first);
    void this.#read(others);
  }

  /**
   * Resolves to true once the task has changed since the last call, and to false when the events have
   * ended.
   */
  async next(): Promise<boolean> {
    while (!this.#hasChanged && !this.isSettling && this.#ended === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#hasChanged || this.isSettling) {
      this.#hasChanged = false;
      return true;
    }
    if (this.#ended?.error !== undefined) throw this.#ended.error;
    return false;
  }

  #note({ response }: StreamEvent): void {
    const { state } = response.statusUpdate?.status ?? response.task?.status ?? {};
    this.#hasChanged = true;
    if (state !== undefined) this.isSettling = isSettled(state);
    this.#wake();
  }

  async #read(events: AsyncIterable<StreamEvent>): Promise<void> {
    try {
      for await (const event of events) this.#note(event);
      this.#ended = {};
    } catch (error) {
      this.#ended = { error: errorOf(error) };
    }
    this.#wake();
  }
}
