import { endsStream } from "../protocol/internal.js";
import type { JsonValue, StreamingOperation } from "../protocol/internal.js";
import type { Codec } from "../wire/internal.js";
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
  const further = { final: false, artifactIndex, ...(taskId !== undefined && { taskId }) };
  const last = { ...further, final: true };
  // An artifact's index depends on what this stream has seen, so nothing of 0.1 is shared.
  const isShared = codec.version !== "0.1";
  return ({ response, encodings }) => {
    for (const artifact of response.task?.artifacts ?? []) artifactIndex(artifact.artifactId);
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const context = final ? last : further;
    const shared = isShared ? encodings : undefined;
    const key = final ? `${codec.dialect} final` : codec.dialect;
    const known = shared?.get(key) as readonly string[] | undefined;
    if (known !== undefined) return known;
    const texts = codec.encodeEvent(response, context).map(toText);
    shared?.set(key, texts);
    return texts;
  };
}

function toText(value: JsonValue): string {
  return JSON.stringify(value);
}
