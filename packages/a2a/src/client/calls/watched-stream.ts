import { A2AError } from "../../protocol/internal.js";
import type { CallContext, StreamEvent } from "../../protocol/internal.js";
import type { Clock } from "../../async/internal.js";

export interface StallOptions {
  readonly call: CallContext;
  readonly clock: Clock;
  /** A connection that is silent for this long, heartbeats included, counts as dead. */
  readonly stallMs: number;
}

export interface WatchedStreamOptions extends StallOptions {
  /** Whether the agent may think for any time before it answers, as it may after a message. */
  readonly mayTakeTime: boolean;
}

/**
 * The events of one connection. Ends with `UNAVAILABLE` when the agent falls silent. However the events end,
 * the request is aborted, so that no socket stays open; `close` aborts it even while an event is awaited.
 */
export class WatchedStream<T = StreamEvent> {
  readonly events: AsyncGenerator<T, void, void>;
  /** Whether the stream was ended because the agent fell silent. */
  isStalled = false;
  readonly #options: WatchedStreamOptions;
  readonly #request = new AbortController();
  readonly #openedAt: number;
  #lastSign: number;
  #cancelWatch: () => void = () => undefined;

  constructor(open: (call: CallContext) => AsyncIterable<T>, options: WatchedStreamOptions) {
    this.#options = options;
    this.#openedAt = this.#lastSign = options.clock.now();
    this.events = this.#read(open);
  }

  /** The time from opening to the agent's last sign of life. */
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
      this.#lastSign = this.#options.clock.now();
      // The first sign may be the response headers. An agent that gives a second one sends heartbeats, so
      // that its silence means something from then on.
      if (mayTakeTime && (signs += 1) === 2) this.#watch();
      observer?.onActivity?.();
    };
    if (!mayTakeTime) this.#watch();
    try {
      const one = { ...call, signal: this.#request.signal, observer: { ...observer, onActivity } };
      for await (const event of open(one)) {
        signs = 2;
        onActivity();
        // The time that the caller takes for an event is not silence of the agent.
        this.#cancelWatch();
        yield event;
        this.#lastSign = this.#options.clock.now();
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
    const { clock, stallMs } = this.#options;
    const leftMs = stallMs - (clock.now() - this.#lastSign);
    if (leftMs > 0) {
      this.#cancelWatch = clock.after(leftMs, () => this.#watch());
      return;
    }
    this.isStalled = true;
    this.close();
  }
}

/** Awaits one answer for as long as a stream may be silent. */
export async function awaitAnswer<T>(
  ask: (call: CallContext) => Promise<T>,
  options: StallOptions,
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
