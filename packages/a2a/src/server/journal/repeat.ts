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
  /** The latest record that the handler has asked for, or the start of its run. */
  point: number;
  readonly #journal: Journal;
  #held: { readonly output: Output; readonly artifactId: string | undefined }[] = [];
  #bytes = 0;

  constructor(journal: Journal) {
    this.#journal = journal;
    this.point = journal.begunAt;
  }

  /** True while records are left that the handler has not asked for, unless they belong to code that is gone. */
  get isHolding(): boolean {
    return (
      this.started === undefined &&
      this.#journal.lastRecord > this.point &&
      this.#bytes <= maxHeldBytes
    );
  }

  hold(output: Output, artifactId: string | undefined, bytes: number): void {
    this.#held.push({ output, artifactId });
    this.#bytes += bytes;
  }

  /**
   * The handler asked for a record: what is held was told before that, save artifacts that the task does not have,
   * because the code did not make them then.
   */
  reach(sequence: number, hasArtifact: (artifactId: string) => boolean): void {
    if (this.started !== undefined) return;
    this.point = Math.max(this.point, sequence);
    this.#held = this.#held.filter(
      ({ artifactId }) => artifactId !== undefined && !hasArtifact(artifactId),
    );
    if (this.#held.length === 0) this.#bytes = 0;
  }

  takeHeld(): Output[] {
    return this.#held.splice(0).map(({ output }) => output);
  }
}
