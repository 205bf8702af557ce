import { endsStream } from "../protocol/index.js";
import type { JsonValue, StreamingOperation, StreamResponse } from "../protocol/index.js";
import type { Codec } from "../wire/index.js";
import type { OpenedStream } from "./invoke.js";

/** Encodings of an event, shared by all who watch it. */
const encodings = new WeakMap<StreamResponse, Map<string, readonly string[]>>();

/** Writes the events of one stream as the JSON texts of its dialect. */
export function createEventEncoder(
  codec: Codec,
  operation: StreamingOperation,
  { taskId, artifactIds }: Pick<OpenedStream, "taskId" | "artifactIds">,
): (response: StreamResponse) => readonly string[] {
  const indexes = new Map(artifactIds.map((id, index): [string, number] => [id, index]));
  const artifactIndex = (artifactId: string): number => {
    const index = indexes.get(artifactId) ?? indexes.size;
    indexes.set(artifactId, index);
    return index;
  };
  // An artifact's index depends on what this stream has seen, so nothing of 0.1 is shared.
  const isShared = codec.version !== "0.1";
  return (response) => {
    for (const artifact of response.task?.artifacts ?? []) artifactIndex(artifact.artifactId);
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const encode = (): readonly string[] =>
      codec
        .encodeEvent(response, { final, artifactIndex, ...(taskId !== undefined && { taskId }) })
        .map((value: JsonValue) => JSON.stringify(value));
    return isShared ? shared(response, `${codec.dialect} ${final}`, encode) : encode();
  };
}

function shared(
  response: StreamResponse,
  key: string,
  encode: () => readonly string[],
): readonly string[] {
  let known = encodings.get(response);
  if (known === undefined) encodings.set(response, (known = new Map()));
  let texts = known.get(key);
  if (texts === undefined) known.set(key, (texts = encode()));
  return texts;
}
