import type { BlockPool } from "./block-pool.js";

/** A part of an event stream, and when it passed; milliseconds since 1970. */
export interface KeptPart {
  readonly at: number;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/** The pieces of an event stream until somebody looks at them. Texts are kept as bytes, in blocks of a pool. */
export class KeptPieces {
  readonly #pool: BlockPool;
  #blocks: Uint8Array[] = [];
  /** How many bytes of each block are used. */
  #used: number[] = [];
  /** The pieces: bytes that were given as such, or how many bytes a text has in the blocks. */
  #pieces: (number | Uint8Array)[] = [];
  #times: number[] = [];

  constructor(pool: BlockPool) {
    this.#pool = pool;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Keeps a piece, and returns how much more memory is taken up. */
  add(piece: string | Uint8Array, at: number): number {
    this.#times.push(at);
    if (typeof piece !== "string") {
      this.#pieces.push(piece);
      return piece.length;
    }
    const blocks = this.#blocks.length;
    this.#pieces.push(this.#write(piece));
    return (this.#blocks.length - blocks) * this.#pool.blockBytes;
  }

  /** Lets somebody read all parts in their order. The bytes are valid within the call only. Nothing is kept any more. */
  read(look: (part: KeptPart) => void): void {
    let block = 0;
    let from = 0;
    for (const [index, piece] of this.#pieces.entries()) {
      const at = this.#times[index] ?? 0;
      if (typeof piece !== "number") look({ at, bytes: piece });
      for (let left = typeof piece === "number" ? piece : 0; left > 0;) {
        const end = Math.min(from + left, this.#used[block] ?? 0);
        const bytes = this.#blocks[block]?.subarray(from, end) ?? new Uint8Array();
        if (bytes.length > 0) look({ at, bytes });
        left -= bytes.length;
        from = end;
        if (left === 0) break;
        block += 1;
        from = 0;
      }
    }
    this.clear();
  }

  /** Gives all memory back. */
  clear(): void {
    for (const block of this.#blocks) this.#pool.give(block);
    this.#blocks = [];
    this.#used = [];
    this.#pieces = [];
    this.#times = [];
  }

  /** Writes a text behind the one before, in as many blocks as it needs, and returns how many bytes it has. */
  #write(text: string): number {
    let bytes = 0;
    for (let rest = text; ;) {
      const last = this.#blocks.length - 1;
      const used = this.#used[last] ?? 0;
      const room = this.#blocks[last]?.subarray(used);
      const { read, written } = room ? encoder.encodeInto(rest, room) : { read: 0, written: 0 };
      bytes += written;
      if (room) this.#used[last] = used + written;
      if (read === rest.length) return bytes;
      rest = rest.slice(read);
      this.#blocks.push(this.#pool.take());
      this.#used.push(0);
    }
  }
}
