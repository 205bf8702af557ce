import { delayAtMost, foregroundClock } from "../async/internal.js";
import { A2AError } from "../protocol/internal.js";
import { failureLine } from "./failure-reason.js";
import type { Target } from "./target.js";

/** Why the database cannot be used at present, for the operator. It was reported, so nobody reports it again. */
class DatabaseFault extends Error {
  // By this name the runtime knows a fault that its store has reported.
  override readonly name = "StoreFault";
}

export interface OutageOptions {
  readonly target: Target;
  readonly patienceMs: number;
  readonly report: (notice: Error) => void;
}

/** An outage that comes back this soon has never been over: it is not reported again. */
const calmMs = 60_000;

/** Knows whether the database can be reached. Reports an outage once, however many connections fail, and its end once. */
export class Outage {
  readonly #options: OutageOptions;
  #fault: A2AError | undefined;
  #isReported = false;
  #lastFailure = -Infinity;
  #over = new AbortController();

  constructor(options: OutageOptions) {
    this.#options = options;
  }

  /** What callers get while the database cannot be reached: nothing of its address. */
  get fault(): A2AError | undefined {
    return this.#fault;
  }

  /** An attempt to connect has failed. Returns the error for those who wait no longer. */
  failed(cause: unknown): A2AError {
    const { target, patienceMs, report } = this.#options;
    const now = performance.now();
    const wait = `Callers wait for it up to ${Math.ceil(patienceMs / 1000)} s, and then get UNAVAILABLE`;
    const fault = new DatabaseFault(`${failureLine(target, cause)}. ${wait}.`, { cause });
    if (now - this.#lastFailure >= calmMs) {
      this.#isReported = true;
      report(fault);
    }
    this.#lastFailure = now;
    const message = "the database of this server does not answer at present; try again later";
    this.#fault = new A2AError("UNAVAILABLE", message, {
      cause: fault,
      details: { retryAfterSeconds: 5 },
    });
    return this.#fault;
  }

  /** A connection was opened. Those who pause try at once. */
  end(): void {
    if (this.#fault === undefined) return;
    this.#fault = undefined;
    if (this.#isReported) {
      const { target, report } = this.#options;
      report(new Error(`the database ${target.description} can be used again`));
    }
    this.#isReported = false;
    this.#over.abort();
    this.#over = new AbortController();
  }

  /** Waits, but not beyond the end of the outage. */
  async pause(pauseMs: number, closing: AbortSignal): Promise<void> {
    await delayAtMost(foregroundClock, pauseMs, AbortSignal.any([this.#over.signal, closing]));
  }
}
