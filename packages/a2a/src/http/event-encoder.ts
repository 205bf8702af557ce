import { endsStream } from "../protocol/index.js";
import type { JsonValue, StreamingOperation } from "../protocol/index.js";
import type { Codec } from "../wire/index.js";
import type { OpenedStream } from "./invoke.js";
import type { SseEncoding } from "./sse.js";

/** Writes the events of one stream as the JSON texts of its dialect. */
export function createEventEncoder(
  codec: Codec,
  operation: StreamingOperation,
  { taskId, artifactIds }: Pick<OpenedStream, "taskId" | "artifactIds">,
): SseEncoding["encodeEvent"] {
  const indexes = new Map(artifactIds.map((id, index): [string, number] => [id, index]));
  const artifactIndex = (artifactId: string): number => {
    const index = indexes.get(artifactId) ?? indexes.size;
    indexes.set(artifactId, index);
    return index;
  };
  // An artifact's index depends on what this stream has seen, so nothing of 0.1 is shared.
  const isShared = codec.version !== "0.1";
  return ({ response, encodings }) => {
    for (const artifact of response.task?.artifacts ?? []) artifactIndex(artifact.artifactId);
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const encode = (): readonly string[] =>
      codec
        .encodeEvent(response, { final, artifactIndex, ...(taskId !== undefined && { taskId }) })
        .map((value: JsonValue) => JSON.stringify(value));
    if (!isShared || encodings === undefined) return encode();
    const key = final ? `${codec.dialect} final` : codec.dialect;
    let texts = encodings.get(key) as readonly string[] | undefined;
    if (texts === undefined) encodings.set(key, (texts = encode()));
    return texts;
  };
}
