import { A2AError, defaultLimits } from "../../protocol/internal.js";
import type { Limits } from "../../protocol/internal.js";

const quotation = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** A smaller body is harmless whatever is in it, and most bodies are smaller. */
const harmlessBytes = 4096;

/** After how many bytes of a string a native search is faster than looking at each byte. */
const shortString = 64;

/**
 * Counts the elements and the levels of a JSON text before anything is made of it: a small text can hold so many
 * objects that to parse it would stop the whole server for seconds. Throws `REQUEST_TOO_LARGE` for too many elements,
 * `INVALID_REQUEST` for too many levels. One pass over the bytes; does not check that the text is JSON.
 */
export function checkJsonSize(
  bytes: Uint8Array,
  {
    maxElements = defaultLimits.maxElements,
    maxJsonDepth = defaultLimits.maxJsonDepth,
  }: Partial<Limits>,
): void {
  const { length } = bytes;
  if (length <= harmlessBytes) return;
  // The envelope of JSON-RPC is a level around the request, whose root the limit counts from.
  const maxDepth = maxJsonDepth + 1;
  let elements = 1;
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quotation) at = endOfString(bytes, at);
    else if (byte === comma) elements += 1;
    else if (byte === openBracket || byte === openBrace) {
      elements += 1;
      depth += 1;
      if (depth > maxDepth) throw tooDeep(maxJsonDepth);
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    if (elements > maxElements) throw tooMany(maxElements);
  }
}

/** Where the string that begins here ends: at its closing quotation mark, or with the text. */
function endOfString(bytes: Uint8Array, begin: number): number {
  const { length } = bytes;
  let at = begin + 1;
  for (;;) {
    // Strings of little but escapes would make very many searches, so some bytes are looked at between two of them.
    const near = Math.min(at + shortString, length);
    for (; at < near; at += 1) {
      const byte = bytes[at];
      if (byte === quotation) return at;
      if (byte === backslash) at += 1;
    }
    const end = at < length ? bytes.indexOf(quotation, at) : -1;
    if (end === -1) return length;
    // An odd number of backslashes escapes the quotation mark. Those before `at` have been read in pairs.
    let first = end;
    while (first > at && bytes[first - 1] === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
    at = end + 1;
  }
}

function tooMany(maxElements: number): A2AError {
  return new A2AError(
    "REQUEST_TOO_LARGE",
    `the body has more than ${maxElements} members and elements; send less at once, or large data as a file`,
  );
}

function tooDeep(maxDepth: number): A2AError {
  return new A2AError(
    "INVALID_REQUEST",
    `the body has more than ${maxDepth} levels of nesting; send flatter data`,
  );
}
