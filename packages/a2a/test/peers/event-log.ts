import { within } from "./child.js";
import type { PeerEvent } from "./told.js";

/** The longest that something may take that is waited for. */
export const patienceMs = 20_000;

/** The events of a stream as they come. */
export class EventLog {
  readonly events: PeerEvent[] = [];
  /** The error with which the stream ended, if any. */
  readonly ended: Promise<Error | undefined>;
  #isOver = false;
  #settle: (error?: Error) => void = () => {};
  #wake = (): void => {};

  constructor() {
    this.ended = new Promise((resolve) => (this.#settle = resolve));
  }

  push(event: PeerEvent): void {
    this.events.push(event);
    this.#wake();
  }

  end(error?: unknown): void {
    this.#isOver = true;
    const isError = error === undefined || error instanceof Error;
    this.#settle(isError ? error : new Error("a stream threw no error", { cause: error }));
    this.#wake();
  }

  /** Resolves as soon as the events so far are such. */
  async until(holds: (events: readonly PeerEvent[]) => boolean): Promise<void> {
    await within(patienceMs, "events of a stream", this.#wait(holds));
  }

  /** All events, once the stream has ended well. */
  async all(): Promise<readonly PeerEvent[]> {
    const error = await within(patienceMs, "the end of a stream", this.ended);
    if (error !== undefined) throw error;
    return this.events;
  }

  async #wait(holds: (events: readonly PeerEvent[]) => boolean): Promise<void> {
    while (!holds(this.events)) {
      if (this.#isOver) {
        throw (
          (await this.ended) ?? new Error(`the stream ended after ${JSON.stringify(this.events)}`)
        );
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
