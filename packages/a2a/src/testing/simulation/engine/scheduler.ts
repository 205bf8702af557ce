import { Heap } from "../../../async/internal.js";
import { inNextTurn, settleThen } from "./settle-then.js";

/** Whose steps they are: a node in one of its lives, or a caller. */
export interface Owner {
  readonly name: string;
  /** Nothing of it happens any more. */
  readonly isGone: boolean;
  /** Its steps are put off until then, and come in a burst. */
  readonly pausedUntil: number;
}

/** A step to come. */
export interface Step {
  at: number;
  readonly order: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

/** After so many steps the platform may do something else. */
const stepsPerTurn = 5000;

/**
 * The time of a run, and everything that is going to happen in it. A step runs one callback and then everything that
 * follows from it without further steps: all its microtasks. Times are whole microseconds from the start of the run.
 */
export class Scheduler {
  readonly #steps = new Heap<Step>((one, other) =>
    one.at === other.at ? one.order < other.order : one.at < other.at,
  );
  #order = 0;
  /** How many steps were done. */
  count = 0;
  now = 0;
  /** A step is under way, or what follows from it. */
  isInStep = false;

  /** Plans a step after a delay. To cancel it, take its callback away. */
  after(delay: number, owner: Owner | undefined, run: () => void): Step {
    this.#order += 1;
    const step = { at: this.now + Math.max(0, Math.round(delay)), order: this.#order, owner, run };
    this.#steps.push(step);
    return step;
  }

  /** Resolves after a delay, in a step of the owner's. */
  sleep(delay: number, owner?: Owner): Promise<void> {
    return new Promise((resolve) => void this.after(delay, owner, resolve));
  }

  /** Does steps until a moment, or until something is so. */
  run(end: number, isDone: () => boolean = () => false): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = stepsPerTurn;
      const proceed = (): void => {
        try {
          const step = isDone() ? undefined : this.#next(end);
          if (step === undefined) {
            this.isInStep = false;
            if (!isDone()) this.now = Math.max(this.now, end);
            resolve();
            return;
          }
          this.count += 1;
          this.now = step.at;
          this.isInStep = true;
          step.run?.();
        } catch (error) {
          this.isInStep = false;
          reject(error);
          return;
        }
        left -= 1;
        settleThen(left > 0 ? proceed : rest);
      };
      const rest = (): void => {
        this.isInStep = false;
        left = stepsPerTurn;
        inNextTurn(proceed);
      };
      rest();
    });
  }

  /** Takes the next step that is to be done up to a moment. */
  #next(end: number): Step | undefined {
    for (let first = this.#steps.peek(); first !== undefined; first = this.#steps.peek()) {
      if (first.at > end) return undefined;
      this.#steps.pop();
      const { owner } = first;
      if (first.run === undefined || owner?.isGone === true) continue;
      if (owner === undefined || owner.pausedUntil <= first.at) return first;
      first.at = owner.pausedUntil;
      this.#steps.push(first);
    }
    return undefined;
  }
}
