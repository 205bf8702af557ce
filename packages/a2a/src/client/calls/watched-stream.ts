import { A2AError } from "../../protocol/internal.js";
import type { CallContext } from "../../protocol/internal.js";
import type { Clock } from "../../async/internal.js";

export interface WatchedStreamOptions {
  readonly call: CallContext;
  readonly clock: Clock;
  /** A connection that is silent for this long, heartbeats included, counts as dead. */
  readonly stallMs: number;
  /** Whether the agent may think for any time before it answers, as it may after a message. */
  readonly mayTakeTime: boolean;
}

/**
 * Watches one connection. Ends its events with `UNAVAILABLE` when the agent falls silent. However the events end,
 * the request is aborted, so that no socket stays open; `close` aborts it even while an event is awaited.
 */
export class WatchedStream {
  /** The context of the request that is watched. */
  readonly call: CallContext;
  /** Whether the stream was ended because the agent fell silent. */
  isStalled = false;
  readonly #options: WatchedStreamOptions;
  readonly #request = new AbortController();
  readonly #openedAt: number;
  #lastSign: number;
  /** Absent until silence counts: from the first sign of an agent that may take time to answer. */
  #cancelWatch: (() => void) | undefined;

  constructor(options: WatchedStreamOptions) {
    const { call, clock } = options;
    const observer = { ...call.observer, onActivity: () => this.#noteActivity() };
    this.call = { ...call, signal: this.#request.signal, observer };
    this.#options = options;
    this.#openedAt = this.#lastSign = clock.now();
  }

  /** The time from opening to the agent's last sign of life. */
  get aliveMs(): number {
    return this.#lastSign - this.#openedAt;
  }

  close(): void {
    this.#request.abort();
  }

  /** Passes on the events of the request that was made with `call`; they must begin with their first read. */
  async *watch<T>(events: AsyncIterable<T>): AsyncGenerator<T, void, void> {
    const { call, clock, mayTakeTime, stallMs } = this.#options;
    const { signal } = call;
    signal?.throwIfAborted();
    const abort = (): void => this.#request.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    if (!mayTakeTime) this.#awaitSign();
    try {
      for await (const event of events) {
        this.#noteActivity();
        // The time that the caller takes for an event is not silence of the agent.
        this.#cancelWatch?.();
        yield event;
        this.#lastSign = clock.now();
        this.#awaitSign();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.isStalled) throw error;
      const message = `nothing was heard of the agent for ${stallMs} ms`;
      throw new A2AError("UNAVAILABLE", message, { cause: error });
    } finally {
      this.#cancelWatch?.();
      signal?.removeEventListener("abort", abort);
      this.close();
    }
  }

  #noteActivity(): void {
    const { call, clock } = this.#options;
    this.#lastSign = clock.now();
    // An agent that has begun to answer, if only with the headers of its response, goes on or sends heartbeats.
    if (this.#cancelWatch === undefined) this.#awaitSign();
    call.observer?.onActivity?.();
  }

  #awaitSign(): void {
    const { clock, stallMs } = this.#options;
    const leftMs = stallMs - (clock.now() - this.#lastSign);
    if (leftMs > 0) {
      this.#cancelWatch = clock.after(leftMs, () => this.#awaitSign());
      return;
    }
    this.isStalled = true;
    this.close();
  }
}

/** Awaits one answer for as long as a stream may be silent. */
export async function awaitAnswer<T>(
  ask: (call: CallContext) => Promise<T>,
  options: WatchedStreamOptions,
): Promise<T> {
  const stream = new WatchedStream(options);
  const events = stream.watch(answers());
  const { value } = await events.next();
  await events.return();
  return value as T;

  async function* answers(): AsyncGenerator<T, void, void> {
    yield await ask(stream.call);
  }
}
