import type { Output } from "../author/output.js";
import type { Journal } from "./journal.js";
import type { Retelling } from "./retelling.js";

/** How many bytes of outputs a handler that is begun again may be ahead of its records. */
const maxHeldBytes = 1024 * 1024;

/** The outputs of a handler that is begun again, as long as it goes over ground that its records cover. */
export class Repeat {
  /** What the handler tells from its last record on is compared with what had been told; absent: nothing had been. */
  retelling: Retelling | undefined;
  /** Settles when the handler is live. */
  started: Promise<void> | undefined;
  /** The latest record that the handler has awaited, or the start of its run. */
  point: number;
  /** Records in order. The last of them is one that the handler has not called for. */
  readonly #left: number[];
  /** The records that the handler has called for, and how many outputs it had told by then. */
  readonly #called = new Map<number, number>();
  #held: { readonly output: Output; readonly artifactId: string | undefined }[] = [];
  #bytes = 0;
  #told = 0;

  constructor(journal: Journal) {
    this.#left = [...journal.records];
    this.point = journal.begunAt;
  }

  /** True while records are left that the handler has not called for, unless they belong to code that is gone. */
  get isHolding(): boolean {
    const last = this.#left.at(-1) ?? 0;
    return this.started === undefined && last > this.point && this.#bytes <= maxHeldBytes;
  }

  /** The handler called for a record. A step that is awaited later may have been recorded after later outputs. */
  call(sequence: number): void {
    if (!this.#called.has(sequence)) this.#called.set(sequence, this.#told);
    while (this.#called.has(this.#left.at(-1) ?? 0)) this.#left.pop();
  }

  /** The handler tells something. */
  tell(): void {
    this.#told += 1;
  }

  hold(output: Output, artifactId: string | undefined, bytes: number): void {
    this.#held.push({ output, artifactId });
    this.#bytes += bytes;
  }

  /**
   * The handler awaits a record: what is held was told before that, save artifacts that the task does not have,
   * because the code did not make them then. A record before the point says nothing about what came after the point.
   * Nor does one that the handler called for earlier than what it told since: who knows what was told first then.
   */
  reach(sequence: number, hasArtifact: (artifactId: string) => boolean): void {
    this.call(sequence);
    if (this.started !== undefined || sequence <= this.point) return;
    if (this.#called.get(sequence) !== this.#told) return;
    this.point = sequence;
    this.#held = this.#held.filter(
      ({ artifactId }) => artifactId !== undefined && !hasArtifact(artifactId),
    );
    if (this.#held.length === 0) this.#bytes = 0;
  }

  takeHeld(): Output[] {
    return this.#held.splice(0).map(({ output }) => output);
  }
}
