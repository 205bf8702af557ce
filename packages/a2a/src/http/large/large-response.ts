import type { JsonValue, LargeAnswer } from "../../protocol/internal.js";
import type { HttpHeaders, PieceIterator, StreamedResponse } from "../http-message.js";
import { encodeJson } from "./encode-json.js";
import type { Pieces } from "./encode-json.js";

interface LargeResult {
  readonly answer: LargeAnswer;
  readonly result: JsonValue;
  /** The name of the encoding: answers of one name share it. */
  readonly name: string;
  readonly headers: HttpHeaders;
  /** What stands before and after the result. */
  readonly envelope?: readonly [before: string, after: string];
}

/** Answers with a large result: encoded once for all who ask for it now, and written as fast as each of them reads. */
export async function largeResponse({
  answer,
  result,
  name,
  headers,
  envelope = ["", ""],
}: LargeResult): Promise<StreamedResponse> {
  const encoded = await sharedPieces(answer.encodings, name, () => encodeJson(result));
  const [before, after] = envelope.map((text) => new TextEncoder().encode(text));
  const pieces = [before!, ...encoded, after!].filter(({ byteLength }) => byteLength > 0);
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return {
    status: 200,
    headers: { ...headers, "Content-Length": String(length) },
    stream: streamOf(pieces, answer.release),
  };
}

/** The pieces one by one, then the release; also for a reader that leaves before the first, unlike a generator. */
function streamOf(
  pieces: readonly Uint8Array[],
  release: () => void,
): AsyncIterableIterator<Uint8Array, undefined> & PieceIterator {
  let index = 0;
  const end = async (): Promise<IteratorReturnResult<undefined>> => {
    index = pieces.length;
    release();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      const value = pieces[index];
      index += 1;
      return value === undefined ? end() : { done: false, value };
    },
    return: end,
    isLarge: true,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What is encoded under a name already, or is being encoded; else encodes it. */
export function sharedPieces<T extends Pieces | readonly Pieces[]>(
  encodings: Map<string, unknown> | undefined,
  name: string,
  encode: () => Promise<T>,
): Promise<T> {
  const known = encodings?.get(name) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const encoding = encode();
  encodings?.set(name, encoding);
  return encoding;
}
