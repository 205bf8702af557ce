const maxBytes = 4 * 1024;
const maxLines = 20;

/** Keeps the end of what a program writes, however much that is. */
export class LastLines {
  #chunks: Buffer[] = [];
  #length = 0;

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    if (this.#length < 16 * maxBytes) return;
    const end = Buffer.concat(this.#chunks).subarray(-maxBytes);
    // A copy: the part would keep the whole in memory.
    this.#chunks = [Buffer.from(end)];
    this.#length = end.length;
  }

  /** The last lines, 20 and 4 KiB at most. Bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    const end = Buffer.concat(this.#chunks).subarray(-maxBytes);
    const lines = new TextDecoder().decode(end).trimEnd().split("\n");
    return lines.slice(-maxLines).join("\n").trim();
  }
}
