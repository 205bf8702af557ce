import { A2AError, defaultLimits } from "../../protocol/internal.js";
import type { Limits } from "../../protocol/internal.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses the JSON of a body. Throws `REQUEST_TOO_LARGE` beyond `maxBodyBytes`, `PARSE_ERROR` for anything
 * that is not UTF-8 or not JSON, and nothing else. The parsers of fields check nesting and Unicode.
 */
export function parseJson(
  body: Uint8Array | string,
  { maxBodyBytes }: Pick<Limits, "maxBodyBytes"> = defaultLimits,
): unknown {
  if (exceeds(body, maxBodyBytes)) {
    throw new A2AError("REQUEST_TOO_LARGE", `the body has more than ${maxBodyBytes} bytes`);
  }
  const text = typeof body === "string" ? body : decodeUtf8(body);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new A2AError("PARSE_ERROR", `the body is not valid JSON${whereOf(error, text)}`);
  }
}

/** A UTF-16 unit takes one to three bytes in UTF-8, so most strings need no exact measurement. */
function exceeds(body: Uint8Array | string, maxBytes: number): boolean {
  if (typeof body !== "string") return body.byteLength > maxBytes;
  if (body.length > maxBytes) return true;
  return body.length * 3 > maxBytes && new TextEncoder().encode(body).byteLength > maxBytes;
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new A2AError("PARSE_ERROR", "the body is not valid UTF-8");
  }
}

/** Takes only the position from the engine's message: the rest may quote the body. */
function whereOf(error: unknown, text: string): string {
  if (text === "") return ": it is empty";
  const message = error instanceof Error ? error.message : "";
  const position = / at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  return position === undefined ? "" : ` at position ${position}`;
}
