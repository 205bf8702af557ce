import { createDeferred } from "../../async/internal.js";
import type { Deferred } from "../../async/internal.js";
import { A2AError } from "../../protocol/internal.js";
import type { Message } from "../../protocol/internal.js";

/** How the caller gets its answer: as a direct reply, or from the task with this key in the store. */
export type Decision = { readonly reply: Message } | { readonly taskKey: string };

/** The decision of a run that may not have decided yet. Only the first outcome counts. */
export class PendingDecision {
  #decision: Decision | undefined;
  #isSettled = false;
  /** For those who wait; most runs have decided before anybody does. */
  #awaited: Deferred<Decision> | undefined;

  /** A promise if the run has not decided. It rejects when the run can neither reply nor have a task. */
  get made(): Decision | Promise<Decision> {
    return this.#decision ?? this.#promised.promise;
  }

  make(decision: Decision): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#decision = decision;
    this.#awaited?.resolve(decision);
  }

  /** The run will not decide any more. */
  fail(reason: unknown): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#promised.reject(reason);
  }

  /** The run is over: a caller who has no answer yet gets none from it. */
  close(): void {
    if (!this.#isSettled) this.fail(stoppedEarly());
  }

  get #promised(): Deferred<Decision> {
    if (this.#awaited === undefined) {
      this.#awaited = createDeferred();
      // Nobody may wait for it.
      this.#awaited.promise.catch(() => undefined);
    }
    return this.#awaited;
  }
}

function stoppedEarly(): A2AError {
  const message = "this node stopped before the agent answered; try again";
  return new A2AError("UNAVAILABLE", message);
}
