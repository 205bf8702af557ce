/** The bytes of a block, and of the piece of memory that blocks are cut from. */
const blockBytes = 8 * 1024;
const slabBytes = 1024 * 1024;

/**
 * Blocks of memory outside the heap, of one size, that are used again and again. A recorder that allocates memory for all
 * that passes makes the server pay for fresh pages and for the collections that its growth brings about.
 */
export class BlockPool {
  readonly blockBytes: number = blockBytes;
  readonly #free: Uint8Array[] = [];

  take(): Uint8Array {
    if (this.#free.length === 0) this.#cutSlab();
    return this.#free.pop() as Uint8Array;
  }

  /** Takes a block back. Whoever gives it must not keep any part of it. */
  give(block: Uint8Array): void {
    this.#free.push(block);
  }

  #cutSlab(): void {
    const { buffer } = Buffer.allocUnsafeSlow(slabBytes);
    for (let at = slabBytes - blockBytes; at >= 0; at -= blockBytes) {
      this.#free.push(new Uint8Array(buffer, at, blockBytes));
    }
  }
}
