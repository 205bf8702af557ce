import { createDeferred } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { Message } from "../../protocol/internal.js";

/** How the caller gets its answer: as a direct reply, or from the task with this key in the store. */
export type Decision = { readonly reply: Message } | { readonly taskKey: string };

/** The decision of a run that may not have decided yet. Only the first outcome counts. */
export class PendingDecision {
  readonly #made = createDeferred<Decision>();
  #isMade = false;

  constructor() {
    // Nobody may wait for it.
    this.#made.promise.catch(() => undefined);
  }

  /** Rejects when the run can neither reply nor have a task. */
  get made(): Promise<Decision> {
    return this.#made.promise;
  }

  make(decision: Decision): void {
    this.#isMade = true;
    this.#made.resolve(decision);
  }

  /** The run will not decide any more. */
  fail(reason: unknown): void {
    if (!this.#isMade) this.#made.reject(reason);
  }

  /** The run is over: a caller who has no answer yet gets none from it. */
  close(): void {
    if (!this.#isMade) this.#made.reject(stoppedEarly());
  }
}

function stoppedEarly(): A2AError {
  const message = "this node stopped before the agent answered; try again";
  return new A2AError("UNAVAILABLE", message);
}
