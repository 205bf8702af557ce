import type { StreamEvent } from "../../protocol/internal.js";

/** Where a stream is in the agent's log, as long as its numbers are places in one. */
export class Place {
  /** False once the numbers have been seen not to grow. */
  isNumbered = true;
  #sequence: number | undefined;
  #last: StreamEvent | undefined;

  constructor(sequence: number | undefined) {
    this.#sequence = sequence;
  }

  /** The number of the last event; `undefined` where none says anything. */
  get sequence(): number | undefined {
    return this.isNumbered ? this.#sequence : undefined;
  }

  /**
   * What an event's number makes of it: one more; the last once more, as from a connection that
   * somebody has doubled; or one of which nobody knows whether it was told.
   */
  note(event: StreamEvent): "next" | "again" | "unclear" {
    const { sequence } = event;
    if (!this.isNumbered || sequence === undefined) return "next";
    const before = this.#sequence ?? -1;
    if (sequence === before && isSame(event, this.#last)) return "again";
    this.isNumbered = sequence > before;
    this.#sequence = sequence;
    this.#last = event;
    return this.isNumbered ? "next" : "unclear";
  }
}

function isSame({ response }: StreamEvent, other: StreamEvent | undefined): boolean {
  return other !== undefined && JSON.stringify(response) === JSON.stringify(other.response);
}
