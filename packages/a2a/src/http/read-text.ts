import { tooLarge } from "../binding/internal.js";
import type { ReadLimit } from "../binding/internal.js";
import { TextPieces } from "./sse/text-pieces.js";

/**
 * Reads the text of an answer. Refuses what has more bytes than the limit, and closes the connection. Tells of the
 * beginning and of every piece.
 */
export async function readText(
  response: Response,
  limit: ReadLimit,
  onActivity?: () => void,
): Promise<string> {
  onActivity?.();
  // Not every runtime has the body as a stream.
  if (!response.body) return response.text();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  const pieces = new TextPieces();
  let size = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return checkElements(pieces.take() + decoder.decode(), limit);
    onActivity?.();
    size += value.length;
    if (!(size <= limit.maxBytes)) {
      await reader.cancel().catch(() => undefined);
      throw tooLarge(limit);
    }
    pieces.add(decoder.decode(value, { stream: true }));
  }
}

/** A value of JSON takes up to this many times as much memory as its text, if it is made of nothing but `{}`. */
const bytesPerElement = 16;

/**
 * The JSON text, unless it has so many elements that their values would take many times the memory of the text: more
 * than one for every 16 bytes of the limit. A short text is not looked at.
 */
export function checkElements(json: string, limit: ReadLimit): string {
  let left = limit.maxBytes / bytesPerElement;
  if (json.length <= left) return json;
  let isQuoted = false;
  for (let at = 0; at < json.length && left >= 0; at += 1) {
    const unit = json[at];
    if (unit === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += Number(unit === "\\");
    else if (unit === "," || unit === "[" || unit === "{") left -= 1;
  }
  if (left < 0) throw tooLarge(limit, "too many elements for");
  return json;
}
