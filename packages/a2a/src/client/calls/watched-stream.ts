import { A2AError } from "../../protocol/internal.js";
import type { CallContext, StreamEvent } from "../../protocol/internal.js";
import type { Timers } from "../timers.js";

export interface WatchedStreamOptions {
  readonly call: CallContext;
  readonly timers: Timers;
  /** Silence, heartbeats included, after which a connection is taken for dead. */
  readonly stallMs: number;
  /** An agent may think for as long as it likes before it answers a message. */
  readonly mayTakeTime: boolean;
}

/**
 * One connection's events. Silence ends it with `UNAVAILABLE`. Whatever ends it, its request is
 * aborted, so that no socket outlives it; `close` does that even while an event is awaited.
 */
export class WatchedStream<T = StreamEvent> {
  readonly events: AsyncGenerator<T, void, void>;
  /** Whether it was ended for its silence. */
  isStalled = false;
  readonly #options: WatchedStreamOptions;
  readonly #request = new AbortController();
  readonly #openedAt: number;
  #lastSign: number;
  #cancelWatch: () => void = () => undefined;

  constructor(open: (call: CallContext) => AsyncIterable<T>, options: WatchedStreamOptions) {
    this.#options = options;
    this.#openedAt = this.#lastSign = options.timers.now();
    this.events = this.#read(open);
  }

  /** For how long the agent gave signs of life. */
  get aliveMs(): number {
    return this.#lastSign - this.#openedAt;
  }

  close(): void {
    this.#request.abort();
  }

  async *#read(open: (call: CallContext) => AsyncIterable<T>): AsyncGenerator<T, void, void> {
    const { call, mayTakeTime, stallMs } = this.#options;
    const { signal, observer } = call;
    signal?.throwIfAborted();
    const abort = (): void => this.#request.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    let signs = 0;
    const onActivity = (): void => {
      this.#lastSign = this.#options.timers.now();
      // Whoever has given signs while it thinks would go on to.
      if (mayTakeTime && (signs += 1) === 2) this.#watch();
      observer?.onActivity?.();
    };
    if (!mayTakeTime) this.#watch();
    try {
      const one = { ...call, signal: this.#request.signal, observer: { ...observer, onActivity } };
      for await (const event of open(one)) {
        signs = 2;
        onActivity();
        // A caller that takes its time is no silence of the agent's.
        this.#cancelWatch();
        yield event;
        this.#lastSign = this.#options.timers.now();
        this.#watch();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.isStalled) throw error;
      const message = `nothing was heard of the agent for ${stallMs} ms`;
      throw new A2AError("UNAVAILABLE", message, { cause: error });
    } finally {
      this.#cancelWatch();
      signal?.removeEventListener("abort", abort);
      this.close();
    }
  }

  #watch(): void {
    const { timers, stallMs } = this.#options;
    const leftMs = stallMs - (timers.now() - this.#lastSign);
    if (leftMs > 0) {
      this.#cancelWatch = timers.after(leftMs, () => this.#watch());
      return;
    }
    this.isStalled = true;
    this.close();
  }
}

/** One answer, on which is waited as long as on the next sign of a stream. */
export async function hearOnce<T>(
  ask: (call: CallContext) => Promise<T>,
  options: Omit<WatchedStreamOptions, "mayTakeTime">,
): Promise<T> {
  const { events } = new WatchedStream(
    async function* (call: CallContext): AsyncGenerator<T, void, void> {
      yield await ask(call);
    },
    { ...options, mayTakeTime: false },
  );
  const { value } = await events.next();
  await events.return();
  return value as T;
}
