import { BackendFailure } from "./backend-agent.js";

/** The most bytes that one line of a backend, or one event of its stream, may have. */
export const maxLineBytes: number = 16 * 1024 * 1024;

/** The text of bytes in UTF-8 as they come. Bytes that are not UTF-8 become U+FFFD. */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== "") yield text;
  }
  const rest = decoder.decode();
  if (rest !== "") yield rest;
}

/** The lines of a text without their ends and without empty ones; the last needs no end. Refuses a line that is too long. */
export async function* splitLines(
  texts: AsyncIterable<string>,
  source: string,
): AsyncGenerator<string> {
  let pieces: string[] = [];
  let length = 0;
  for await (const text of texts) {
    const [first = "", ...others] = text.split("\n");
    length += first.length;
    if (length > maxLineBytes) throw tooLong(source);
    pieces.push(first);
    for (const next of others) {
      const line = pieces.join("").trimEnd();
      if (line !== "") yield line;
      pieces = [next];
      length = next.length;
    }
  }
  const last = pieces.join("").trimEnd();
  if (last !== "") yield last;
}

/** All of a text. Refuses one that is too long. */
export async function readWhole(texts: AsyncIterable<string>, source: string): Promise<string> {
  const pieces: string[] = [];
  let length = 0;
  for await (const text of texts) {
    pieces.push(text);
    length += text.length;
    if (length > maxLineBytes) throw tooLong(source);
  }
  return pieces.join("");
}

/** Why a backend is not listened to any longer. */
export function tooLong(source: string): BackendFailure {
  const message = `${source} wrote more than ${maxLineBytes} bytes without a break`;
  return new BackendFailure(message, { code: "OUTPUT_TOO_LARGE" });
}
