import type { StreamEvent } from "../../protocol/internal.js";

/** How far a stream has come in the agent's log, as long as its sequence numbers are positions in one log. */
export class StreamPosition {
  /** False once a number was seen that is not above the one before it. */
  isNumbered = true;
  #sequence: number | undefined;
  #last: StreamEvent | undefined;

  constructor(sequence: number | undefined) {
    this.#sequence = sequence;
  }

  /** The number of the last event; `undefined` when the numbers are absent or mean nothing. */
  get sequence(): number | undefined {
    return this.isNumbered ? this.#sequence : undefined;
  }

  /**
   * Moves on to an event and says what its number makes of it: the `next` one; the last one `repeated`, as on
   * a connection that a proxy has duplicated; or `unclear`, one that the caller may have received before.
   */
  advance(event: StreamEvent): "next" | "repeated" | "unclear" {
    const { sequence } = event;
    if (!this.isNumbered || sequence === undefined) return "next";
    const before = this.#sequence ?? -1;
    if (sequence === before && isSame(event, this.#last)) return "repeated";
    this.isNumbered = sequence > before;
    this.#sequence = sequence;
    this.#last = event;
    return this.isNumbered ? "next" : "unclear";
  }
}

function isSame({ response }: StreamEvent, other: StreamEvent | undefined): boolean {
  return other !== undefined && JSON.stringify(response) === JSON.stringify(other.response);
}
