/** A piece of an event stream, and when it passed; milliseconds since 1970. */
interface KeptPiece {
  readonly at: number;
  readonly piece: string | Uint8Array;
}

/** Pieces that were written as texts, one after another. */
interface Batch {
  readonly times: readonly number[];
  /** How many characters each has. */
  readonly lengths: readonly number[];
  readonly bytes: Uint8Array;
}

/** Texts are put together once they have so many characters. */
const batchLength = 8 * 1024;

/**
 * The pieces of an event stream until somebody looks at them. Texts are kept as bytes outside the heap: a recorder that
 * holds a million short strings makes every collection of the server's heap slower.
 */
export class KeptPieces {
  readonly #maxBytes: number;
  #kept: (Batch | KeptPiece)[] = [];
  #texts: string[] = [];
  #times: number[] = [];
  #lengths: number[] = [];
  #textLength = 0;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** How much is kept: bytes, or characters of texts. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a piece; `false` when there is no more room, then or before. */
  add(piece: string | Uint8Array, at: number): boolean {
    if (this.#size > this.#maxBytes) return false;
    this.#size += piece.length;
    if (typeof piece !== "string") {
      this.join();
      this.#kept.push({ at, piece });
      return true;
    }
    this.#texts.push(piece);
    this.#times.push(at);
    this.#lengths.push(piece.length);
    this.#textLength += piece.length;
    if (this.#textLength >= batchLength) this.join();
    return true;
  }

  /** Puts the latest texts together. */
  join(): void {
    if (this.#texts.length === 0) return;
    const bytes = Buffer.from(this.#texts.join(""));
    this.#kept.push({ times: this.#times, lengths: this.#lengths, bytes });
    this.#texts = [];
    this.#times = [];
    this.#lengths = [];
    this.#textLength = 0;
  }

  /** All pieces in their order; none are kept any more. */
  take(): KeptPiece[] {
    this.join();
    const kept = this.#kept;
    this.#kept = [];
    this.#size = 0;
    return kept.flatMap((one) => ("piece" in one ? [one] : piecesOf(one)));
  }
}

function piecesOf({ times, lengths, bytes }: Batch): KeptPiece[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
  let from = 0;
  return times.map((at, index) => {
    const to = from + (lengths[index] ?? 0);
    const piece = text.slice(from, to);
    from = to;
    return { at, piece };
  });
}
