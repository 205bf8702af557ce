import { Roster } from "../../async/internal.js";
import type { LightSignal } from "../../async/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Activation } from "./activation.js";
import { stopping } from "./leave-reasons.js";

/** What this node has to finish, or to leave, before it stops. */
interface Work {
  readonly work: Promise<unknown>;
  /** The run, where the work is one. */
  readonly activation?: Activation;
  /** The time to finish is over. */
  readonly leave: () => void;
}

/** What is at work on this node: runs, and the little besides that ends before the node does. */
export class WorkAtHand {
  readonly #report: RunEnvironment["report"];
  readonly #works = new Roster<Work>();
  /** The time to finish is over: what would work from now on is left to other nodes. */
  #isLeaving = false;

  constructor({ report }: Pick<RunEnvironment, "report">) {
    this.#report = report;
  }

  /** A run works until its promise settles. */
  addRun(activation: Activation, work: Promise<void>): void {
    if (this.#isLeaving) activation.leave(stopping());
    const place = this.#works.add({
      work,
      activation,
      leave: () => activation.leave(stopping()),
    });
    const leave = (): void => this.#works.remove(place);
    work.then(leave, (error: unknown) => {
      leave();
      this.#report(error, activation.identity.publicId);
    });
  }

  /** Lets work that is no run finish before this node stops, or aborts it when the time to finish is over. */
  add(work: Promise<unknown>, stop: LightSignal): void {
    const place = this.#works.add({ work, leave: () => stop.abort(stopping()) });
    const leave = (): void => this.#works.remove(place);
    work.then(leave, leave);
  }

  /** The runs that work on a stored task. */
  storedRuns(): readonly Activation[] {
    const activations = this.#works.members().map(({ activation }) => activation);
    return activations.filter((one) => one !== undefined).filter(({ epoch }) => epoch > 0);
  }

  /** Leaves all that is at work, and all that would be from now on. */
  leave(): void {
    this.#isLeaving = true;
    for (const { leave } of this.#works.members()) leave();
  }

  /** Resolves when nothing works any more, what begins meanwhile included. */
  async finished(): Promise<void> {
    for (let left = this.#works.members(); left.length > 0; left = this.#works.members()) {
      await Promise.allSettled(left.map(({ work }) => work));
    }
  }
}
