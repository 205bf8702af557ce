import type { Clock } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";

/** How far apart streams come back that end together. */
const apartMs = 2;
/** The longest that one of them waits for the others. More streams than fit in come back closer together. */
const longestMs = 4000;

/**
 * Spreads the return of streams that end together, such as those of a server that stops: ten thousand readers that are
 * told to come back in a second would all come in that instant. Few of them are not kept waiting.
 */
export class Returns {
  readonly #clock: Clock;
  #nextAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The error with which a stream ends; one that says when to come back says so later than the one before. */
  spread(error: A2AError): A2AError {
    const { code, message, details, cause } = error;
    const { retryAfterSeconds } = details;
    if (code !== "UNAVAILABLE" || retryAfterSeconds === undefined) return error;
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + apartMs;
    const laterMs = (at - now) % longestMs;
    return new A2AError(code, message, {
      details: { ...details, retryAfterSeconds: retryAfterSeconds + laterMs / 1000 },
      cause,
    });
  }
}
