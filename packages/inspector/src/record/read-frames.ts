/** A frame of an event stream: an event, or a comment such as a heartbeat. */
export interface SseFrame {
  readonly kind: "event" | "comment";
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
  readonly bytes: number;
  /** Where the frame ends in the piece that it ends in. */
  readonly end: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/** The longest line that is kept; what is longer is cut. */
const maxLine = 1024 * 1024;

/** Reads the frames of an event stream from its bytes, as they come. Looks only: the bytes go on as they are. */
export class FrameReader {
  #line: Uint8Array[] = [];
  #lineBytes = 0;
  #frameBytes = 0;
  #endedInReturn = false;
  #data: string[] = [];
  #comments: string[] = [];
  #id: string | undefined;
  #event: string | undefined;

  /** The frames that end in this piece. */
  read(piece: Uint8Array): readonly SseFrame[] {
    const frames: SseFrame[] = [];
    let from = 0;
    let isAfterReturn = this.#endedInReturn;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        isAfterReturn = false;
        continue;
      }
      const isSecondHalf = byte === lineFeed && isAfterReturn;
      isAfterReturn = byte === carriageReturn;
      if (isSecondHalf) {
        from = at + 1;
        continue;
      }
      this.#keep(piece.subarray(from, at));
      from = at + 1;
      const line = this.#takeLine();
      this.#frameBytes += 1;
      const frame = line === "" ? this.#takeFrame(at + 1) : this.#field(line);
      if (frame !== undefined) frames.push(frame);
    }
    this.#endedInReturn = isAfterReturn;
    this.#keep(piece.subarray(from));
    return frames;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#frameBytes += bytes.length;
    if (this.#lineBytes < maxLine) this.#line.push(new Uint8Array(bytes));
    this.#lineBytes += bytes.length;
  }

  #takeLine(): string {
    const pieces = this.#line;
    this.#line = [];
    this.#lineBytes = 0;
    return Buffer.concat(pieces).toString("utf8");
  }

  #field(line: string): undefined {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "") this.#comments.push(value);
    if (name === "data") this.#data.push(value);
    if (name === "id") this.#id = value;
    if (name === "event") this.#event = value;
  }

  #takeFrame(end: number): SseFrame | undefined {
    const data = this.#data;
    const comments = this.#comments;
    const id = this.#id;
    const event = this.#event;
    const bytes = this.#frameBytes;
    this.#data = [];
    this.#comments = [];
    this.#id = undefined;
    this.#event = undefined;
    this.#frameBytes = 0;
    if (data.length === 0 && comments.length === 0) return undefined;
    const named = { ...(id !== undefined && { id }), ...(event !== undefined && { event }) };
    return data.length > 0
      ? { kind: "event", ...named, data: data.join("\n"), bytes, end }
      : { kind: "comment", data: comments.join("\n"), bytes, end };
  }
}
