import { A2AError, defaultLimits } from "../../protocol/internal.js";
import type { Limits } from "../../protocol/internal.js";
import { checkJsonSize } from "./check-json-size.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses the JSON of a body. Throws `REQUEST_TOO_LARGE` beyond `maxBodyBytes` and `maxElements`, `INVALID_REQUEST` for
 * a large body that is nested too deeply, `PARSE_ERROR` for anything that is not UTF-8 or not JSON, and nothing else.
 * The parsers of fields check nesting, also of small bodies, and Unicode.
 */
export function parseJson(
  body: Uint8Array | string,
  limits: Partial<Limits> = defaultLimits,
): unknown {
  const { maxBodyBytes = defaultLimits.maxBodyBytes } = limits;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  if (bytes.byteLength > maxBodyBytes) {
    throw new A2AError("REQUEST_TOO_LARGE", `the body has more than ${maxBodyBytes} bytes`);
  }
  checkJsonSize(bytes, limits);
  const text = typeof body === "string" ? body : decodeUtf8(body);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new A2AError("PARSE_ERROR", `the body is not valid JSON${whereOf(error, text)}`);
  }
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
