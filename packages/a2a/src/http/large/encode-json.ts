import { nextTurn } from "../../async/internal.js";
import type { JsonValue } from "../../protocol/internal.js";

/** Bytes of a large text, in pieces that are each written when there is room for it. Many answers may share them. */
export type Pieces = readonly Uint8Array[];

/** Roughly how many bytes a piece has. */
const pieceBytes = 64 * 1024;

/** How many characters are encoded before the event loop serves everyone else. */
const charactersPerTurn = 256 * 1024;

/** Arrays are encoded several items at a time, as many as make about this many characters. */
const batchCharacters = 16 * 1024;
const maxBatch = 512;

/** How deep a value is taken apart. What is below is encoded as a whole: a part, the metadata of a message. */
const maxDepth = 8;

/** Encodes a large value as `JSON.stringify` would, but in turns with everyone else. */
export async function encodeJson(value: JsonValue): Promise<Pieces> {
  const pieces: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let text = "";
  let inTurn = 0;
  for (const next of textsOf(value, maxDepth)) {
    text += next;
    if (text.length < pieceBytes) continue;
    inTurn += text.length;
    cut(encoder.encode(text), pieces);
    text = "";
    if (inTurn < charactersPerTurn) continue;
    await nextTurn();
    inTurn = 0;
  }
  cut(encoder.encode(text), pieces);
  return pieces;
}

/** Adds the pieces of some bytes. They share the memory of these. */
function cut(bytes: Uint8Array, pieces: Uint8Array[]): void {
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    pieces.push(bytes.subarray(start, start + pieceBytes));
  }
}

function* textsOf(value: JsonValue | undefined, depth: number): Generator<string, void, void> {
  if (depth === 0 || typeof value !== "object" || value === null) {
    yield JSON.stringify(value ?? null);
  } else if (Array.isArray(value)) {
    yield "[";
    yield* itemsOf(value, depth - 1);
    yield "]";
  } else {
    let separator = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* textsOf(member, depth - 1);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  }
}

/** The items of an array with commas. Takes more of them at a time while they are small. */
function* itemsOf(items: readonly JsonValue[], depth: number): Generator<string, void, void> {
  let batch = 1;
  for (let start = 0; start < items.length;) {
    if (start > 0) yield ",";
    const end = Math.min(start + batch, items.length);
    let length = 0;
    if (batch > 1) {
      const text = JSON.stringify(items.slice(start, end));
      length = text.length;
      yield text.slice(1, -1);
    } else {
      for (const text of textsOf(items[start], depth)) {
        length += text.length;
        yield text;
      }
    }
    start = end;
    if (length < batchCharacters) batch = Math.min(2 * batch, maxBatch);
    else if (length > 4 * batchCharacters) batch = Math.max(1, batch >> 1);
  }
}
