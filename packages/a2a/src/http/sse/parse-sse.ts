/** One event of an event stream. */
export interface SseEvent {
  /** The event's own id. An event without one is not given the previous id: only the last frame has the id. */
  readonly id: string | undefined;
  readonly data: string;
}

/**
 * Reads an event stream as the HTML standard defines it: any line ending, several `data` lines joined,
 * comments and unknown fields skipped, an incomplete event at the end dropped.
 */
export async function* parseSse(
  body: ReadableStream<Uint8Array>,
  onActivity?: () => void,
): AsyncGenerator<SseEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const lines = new LineSplitter();
  let id: string | undefined;
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onActivity?.();
      for (const line of lines.add(decoder.decode(value, { stream: true }))) {
        if (line === "") {
          if (data.length > 0) yield { id, data: data.join("\n") };
          data = [];
          id = undefined;
          continue;
        }
        const [field, content] = fieldOf(line);
        if (field === "data") data.push(content);
        if (field === "id" && !content.includes("\0")) id = content;
      }
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
  /** The pieces of an unfinished line, joined once: to join each would take quadratic time for a long line. */
  #pieces: string[] = [];
  #endsInReturn = false;

  add(text: string): readonly string[] {
    if (text === "") return [];
    this.#pieces.push(text);
    if (!this.#endsInReturn && !/[\r\n]/.test(text)) return [];
    const pending = this.#pieces.join("");
    this.#endsInReturn = pending.endsWith("\r");
    const lines = (this.#endsInReturn ? pending.slice(0, -1) : pending).split(/\r\n|\r|\n/);
    this.#pieces = [(lines.pop() ?? "") + (this.#endsInReturn ? "\r" : "")];
    return lines;
  }
}
