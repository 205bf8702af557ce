import { createDeferred } from "../../../async/internal.js";
import type { Deferred } from "../../../async/internal.js";

/** A handler's wait for an answer. */
export class Wait {
  /** Settles when the handler may work again. */
  readonly over: Deferred<void> = createDeferred();
  /** The handler is on its way back to work: it has its answer, or goes on without. */
  isRising = false;
  /** The handler goes on without the answer. */
  isGivenUp = false;
}
