/** One chunk of a streamed answer: 100 bytes. */
export const chunk: string = "x".repeat(100);

/** One piece of a large answer: 64 KiB. */
export const piece: string = "y".repeat(64 * 1024);

/** Lets agents wait for the benchmark to tell them to go on. */
export class Cue {
  #waiting: (() => void)[] = [];

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
