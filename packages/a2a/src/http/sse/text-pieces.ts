/**
 * A text that comes in pieces. It takes about as much memory as its characters however small the pieces are, and time
 * in proportion to them.
 */
export class TextPieces {
  /** The number of UTF-16 units so far. */
  length = 0;
  #pieces: string[] = [];
  #joined = 0;

  add(piece: string): void {
    this.length += piece.length;
    if (this.#pieces.push(piece) - this.#joined < 1000) return;
    this.#pieces.push(this.#pieces.splice(this.#joined).join(""));
    this.#joined += 1;
  }

  /** Takes out the whole text. */
  take(): string {
    const text = this.#pieces.join("");
    this.#pieces = [];
    this.#joined = this.length = 0;
    return text;
  }
}
