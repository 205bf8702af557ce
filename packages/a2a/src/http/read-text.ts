import { checkSize } from "../binding/internal.js";
import type { ReadLimit } from "../binding/internal.js";
import { bodyPieces } from "./body-pieces.js";
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
  // Not every runtime has the body as a stream.
  if (!response.body) return response.text();
  const decoder = new TextDecoder();
  const text = new TextPieces();
  let size = 0;
  for await (const bytes of bodyPieces(response.body, onActivity)) {
    checkSize((size += bytes.length), limit);
    text.add(decoder.decode(bytes, { stream: true }));
  }
  return checkElements(text.take() + decoder.decode(), limit);
}

/**
 * The JSON text. Refuses more than one element for every 16 bytes of the limit: a value made of nothing but `{}` takes
 * thirty times as much memory as its text. A short text is not looked at.
 */
export function checkElements(json: string, limit: ReadLimit): string {
  if (json.length * 16 <= limit.maxBytes) return json;
  let elements = 0;
  let isQuoted = false;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json[at];
    if (unit === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += Number(unit === "\\");
    else if (unit === "," || unit === "[" || unit === "{") elements += 1;
  }
  checkSize(elements * 16, limit);
  return json;
}
