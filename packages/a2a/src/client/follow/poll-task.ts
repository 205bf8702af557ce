import { isSettled } from "../../protocol/internal.js";
import type { CallContext, StreamEvent, Task } from "../../protocol/internal.js";
import { errorOf } from "../calls/failures.js";
import { delay } from "../timers.js";
import type { Timers } from "../timers.js";

export interface LookOptions {
  readonly call: CallContext;
  readonly timers: Timers;
  readonly pollMs: number;
}

/** A task that does not change is looked at less and less often, down to this. */
const maxPollMs = 10_000;

/** Looks at the task again and again, for agents that do not stream. */
export async function* lookAgain(
  look: () => Promise<Task>,
  { call, timers, pollMs }: LookOptions,
): AsyncGenerator<StreamEvent, void, void> {
  let waitMs = pollMs;
  let last = "";
  for (;;) {
    const task = await look();
    yield { response: { task } };
    const now = JSON.stringify(task);
    waitMs = now === last ? Math.min(maxPollMs, waitMs * 1.5) : pollMs;
    last = now;
    await delay(timers, waitMs, call.signal);
  }
}

/**
 * Looks at the task whenever events say that there is news, though not at each of many. When one of
 * them says that the task has settled, looks until the task says so itself.
 */
export async function* lookWhenever(
  events: AsyncIterable<StreamEvent>,
  look: () => Promise<Task>,
  { call, timers, pollMs }: LookOptions,
): AsyncGenerator<StreamEvent, void, void> {
  const signs = new Signs(events);
  while (await signs.next()) {
    const task = await look();
    if (isSettled(task.status.state)) signs.isSettling = false;
    yield { response: { task } };
    await delay(timers, pollMs, call.signal);
  }
}

/** Events that are not read for what they say. However many come, they make one sign. */
class Signs {
  /** An event said that the task has settled, and nobody has seen it so yet. */
  isSettling = false;
  #isThere = false;
  #ended: { readonly error?: Error } | undefined;
  #wake: () => void = () => undefined;

  constructor(events: AsyncIterable<StreamEvent>) {
    void this.#read(events);
  }

  /** True when something has happened since; false when nothing is going to. */
  async next(): Promise<boolean> {
    while (!this.#isThere && !this.isSettling && this.#ended === undefined) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#isThere || this.isSettling) {
      this.#isThere = false;
      return true;
    }
    if (this.#ended?.error !== undefined) throw this.#ended.error;
    return false;
  }

  async #read(events: AsyncIterable<StreamEvent>): Promise<void> {
    try {
      for await (const { response } of events) {
        const { state } = response.statusUpdate?.status ?? response.task?.status ?? {};
        this.#isThere = true;
        if (state !== undefined) this.isSettling = isSettled(state);
        this.#wake();
      }
      this.#ended = {};
    } catch (error) {
      this.#ended = { error: errorOf(error) };
    }
    this.#wake();
  }
}
