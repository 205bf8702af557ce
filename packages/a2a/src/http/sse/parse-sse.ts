import { checkSize } from "../../binding/internal.js";
import type { ReadLimit } from "../../binding/internal.js";
import { bodyPieces } from "../body-pieces.js";
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
 * more bytes than the limit. Yields the events of each piece of the body, which must be read before the next piece.
 */
export async function* parseSse(
  body: ReadableStream<Uint8Array>,
  limit: ReadLimit,
  onActivity?: () => void,
): AsyncGenerator<Iterable<SseEvent>, void, void> {
  const decoder = new TextDecoder();
  const events = new EventReader();
  for await (const bytes of bodyPieces(body, onActivity)) {
    yield events.read(decoder.decode(bytes, { stream: true }), limit);
  }
}

/** Makes events of text as it comes. */
class EventReader {
  /** The unfinished line. */
  readonly #rest = new TextPieces();
  #endsInReturn = false;
  #id: string | undefined;
  #data: string[] = [];
  /** Of the lines since the last event. UTF-16 units, of which a text has no more than bytes. */
  #size = 0;

  *read(text: string, limit: ReadLimit): Generator<SseEvent, void, void> {
    for (const line of this.#lines(text)) {
      if (line === "") {
        const data = this.#data;
        if (data.length > 0) yield { id: this.#id, data: checkElements(data.join("\n"), limit) };
        this.#data = [];
        this.#id = undefined;
        this.#size = 0;
        continue;
      }
      checkSize((this.#size += line.length + 1), limit);
      const [field, content] = fieldOf(line);
      if (field === "data") this.#data.push(content);
      if (field === "id" && !content.includes("\0")) this.#id = content;
    }
    checkSize(this.#size + this.#rest.length, limit);
  }

  /** The lines that a text ends. A carriage return at the end waits for what follows it. */
  #lines(text: string): readonly string[] {
    this.#rest.add(text);
    if (!this.#endsInReturn && !/[\r\n]/.test(text)) return [];
    const pending = this.#rest.take();
    this.#endsInReturn = pending.endsWith("\r");
    const lines = (this.#endsInReturn ? pending.slice(0, -1) : pending).split(/\r\n|\r|\n/);
    this.#rest.add((lines.pop() ?? "") + (this.#endsInReturn ? "\r" : ""));
    return lines;
  }
}

function fieldOf(line: string): readonly [field: string, content: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const content = line.slice(colon + 1);
  return [line.slice(0, colon), content.startsWith(" ") ? content.slice(1) : content];
}
