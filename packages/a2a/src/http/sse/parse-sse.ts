import { checkSize } from "../../binding/internal.js";
import type { ReadLimit } from "../../binding/internal.js";
import { checkElements } from "../read-text.js";
import { TextPieces } from "./text-pieces.js";

/** One event of an event stream. */
export interface SseEvent {
  /** The event's own id. An event without one is not given the previous id: only the last frame has the id. */
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Reads an event stream as the HTML standard defines it: any line ending, several `data` lines joined,
 * comments and unknown fields skipped, an incomplete event at the end dropped. Refuses an event, or a line, that has
 * more bytes than the limit.
 */
export async function* parseSse(
  body: ReadableStream<Uint8Array>,
  limit: ReadLimit,
  onActivity?: () => void,
): AsyncGenerator<SseEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = new LineSplitter();
  let id: string | undefined;
  let data: string[] = [];
  /** Of the lines since the last event. UTF-16 units, of which a text has no more than bytes. */
  let size = 0;
  try {
    for (;;) {
      onActivity?.();
      const { done, value } = await reader.read();
      if (done) return;
      for (const line of lines.add(decoder.decode(value, { stream: true }))) {
        if (line === "") {
          if (data.length > 0) yield { id, data: checkElements(data.join("\n"), limit) };
          data = [];
          id = undefined;
          size = 0;
          continue;
        }
        checkSize((size += line.length + 1), limit);
        const [field, content] = fieldOf(line);
        if (field === "data") data.push(content);
        if (field === "id" && !content.includes("\0")) id = content;
      }
      checkSize(size + lines.pending, limit);
    }
  } finally {
    // Closes the connection of a reader that leaves early.
    await reader.cancel().catch(() => undefined);
  }
}

function fieldOf(line: string): readonly [field: string, content: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const content = line.slice(colon + 1);
  return [line.slice(0, colon), content.startsWith(" ") ? content.slice(1) : content];
}

/** Splits text into lines as it comes. A carriage return at the end waits for what follows it. */
class LineSplitter {
  /** The unfinished line. */
  readonly #pieces = new TextPieces();
  #endsInReturn = false;

  /** The length of the unfinished line. */
  get pending(): number {
    return this.#pieces.length;
  }

  add(text: string): readonly string[] {
    if (text === "") return [];
    this.#pieces.add(text);
    if (!this.#endsInReturn && !/[\r\n]/.test(text)) return [];
    const pending = this.#pieces.take();
    this.#endsInReturn = pending.endsWith("\r");
    const lines = (this.#endsInReturn ? pending.slice(0, -1) : pending).split(/\r\n|\r|\n/);
    this.#pieces.add((lines.pop() ?? "") + (this.#endsInReturn ? "\r" : ""));
    return lines;
  }
}
