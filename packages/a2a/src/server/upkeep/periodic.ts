import type { Clock } from "../../async/internal.js";

interface PeriodicParts {
  readonly clock: Clock;
  /** How long to wait after each time. */
  readonly pauseMs: number;
  readonly work: () => Promise<void>;
  /** Hears of a failure, which does not end the work. */
  readonly failed: (error: unknown) => void;
}

/** Work that is done again and again, with a pause after each time, and never twice at the same time. */
export class Periodic {
  readonly #parts: PeriodicParts;
  #cancelTimer: (() => void) | undefined;
  #underWay: Promise<void> | undefined;
  #isHurried = false;
  #isStopped = false;

  constructor(parts: PeriodicParts) {
    this.#parts = parts;
    this.#wait();
  }

  /** Does the work now, or once more when the work under way is done. */
  hurry(): void {
    this.#isHurried = true;
    if (this.#underWay === undefined && !this.#isStopped) this.#run();
  }

  /** Begins nothing more. Resolves when the work under way is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer?.();
    await this.#underWay;
  }

  #wait(): void {
    const { clock, pauseMs } = this.#parts;
    this.#cancelTimer = clock.after(pauseMs, () => this.#run());
  }

  #run(): void {
    const { work, failed } = this.#parts;
    this.#cancelTimer?.();
    this.#isHurried = false;
    this.#underWay = work()
      .catch(failed)
      .then(() => {
        this.#underWay = undefined;
        if (this.#isStopped) return;
        if (this.#isHurried) this.#run();
        else this.#wait();
      });
  }
}
