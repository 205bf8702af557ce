import { A2AError } from "../../protocol/internal.js";

/** How many bytes of bodies a server holds until they are complete, unless it is told otherwise. */
const defaultBytes = 128 * 1024 * 1024;

/**
 * The bodies that are on their way to a server. Bounds their bytes in all: beyond the bound the server gives up the body
 * that has waited longest for its next bytes. So callers who send slowly, or not at all, cannot keep others from
 * sending.
 */
export class BodyPool {
  readonly #maxBytes: number;
  /** Unfinished bodies; the one that has waited longest is first. */
  readonly #arriving = new Set<ArrivingBody>();
  #bytes = 0;

  constructor(maxBytes: number = defaultBytes) {
    this.#maxBytes = maxBytes;
  }

  /** How many bytes the server holds at the moment. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts bytes that have come for a body, and makes room for them. */
  hold(body: ArrivingBody, bytes: number, isComplete: boolean): void {
    this.#arriving.delete(body);
    if (!isComplete) this.#arriving.add(body);
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return;
    for (const stalest of this.#arriving) {
      stalest.giveUp();
      if (this.#bytes <= this.#maxBytes) return;
    }
    body.giveUp();
  }

  release(body: ArrivingBody, bytes: number): void {
    this.#arriving.delete(body);
    this.#bytes -= bytes;
  }
}

export interface ArrivingBodyOptions {
  readonly pool: BodyPool;
  readonly maxBytes: number;
  /** What the request states as the length of its body. */
  readonly declared?: number | undefined;
  /** Called once if the body is too large, or the server has no room for it. */
  readonly refuse: (error: A2AError) => void;
}

/** One body that arrives in pieces. */
export class ArrivingBody {
  readonly #options: ArrivingBodyOptions;
  /** The bytes so far, and room for more: pieces of a few bytes each would take up a hundred times their size. */
  #gathered: Uint8Array | undefined;
  #size = 0;
  #isOver = false;

  constructor(options: ArrivingBodyOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    if (this.#isOver) return;
    const { pool, maxBytes, declared, refuse } = this.#options;
    const size = this.#size + piece.byteLength;
    if (size > maxBytes) {
      this.leave();
      refuse(tooLarge(maxBytes));
      return;
    }
    this.#gathered =
      this.#gathered === undefined ? piece : append(this.#gathered, this.#size, piece);
    this.#size = size;
    pool.hold(this, piece.byteLength, size === declared);
  }

  /** The whole body, which is the caller's from now on. */
  take(): Uint8Array {
    const whole = this.#gathered?.subarray(0, this.#size) ?? new Uint8Array();
    this.leave();
    return whole;
  }

  /** Forgets the body. */
  leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#gathered = undefined;
    this.#options.pool.release(this, this.#size);
  }

  /** Refuses the body for the sake of others. */
  giveUp(): void {
    if (this.#isOver) return;
    this.leave();
    this.#options.refuse(noRoom());
  }
}

/** The error for a body beyond the limit. */
export function tooLarge(maxBytes: number): A2AError {
  return new A2AError("REQUEST_TOO_LARGE", `the body has more than ${maxBytes} bytes`);
}

function noRoom(): A2AError {
  return new A2AError(
    "UNAVAILABLE",
    "the server is receiving too many large requests; send the request again later",
    { details: { retryAfterSeconds: 1 } },
  );
}

function append(gathered: Uint8Array, size: number, piece: Uint8Array): Uint8Array {
  const needed = size + piece.byteLength;
  let whole = gathered;
  if (needed > gathered.byteLength) {
    whole = new Uint8Array(Math.max(needed, 2 * gathered.byteLength));
    whole.set(gathered.subarray(0, size));
  }
  whole.set(piece, size);
  return whole;
}
