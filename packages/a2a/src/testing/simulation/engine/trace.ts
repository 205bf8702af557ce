import { hashText, mix } from "./choices.js";

/** What happened at the ports, in order, as one number; the lines themselves only where somebody wants to read them. */
export class Trace {
  readonly #lines: string[] | undefined;
  #hash = 0;
  #count = 0;

  constructor(keepsLines: boolean) {
    this.#lines = keepsLines ? [] : undefined;
  }

  add(line: string): void {
    this.#count += 1;
    this.#hash = mix(this.#hash, hashText(line));
    this.#lines?.push(line);
  }

  get lines(): readonly string[] {
    return this.#lines ?? [];
  }

  /** The same for the same lines in the same order. */
  get hash(): string {
    return `${this.#hash.toString(16).padStart(8, "0")}-${this.#count}`;
  }
}
