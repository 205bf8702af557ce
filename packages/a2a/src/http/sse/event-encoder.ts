import { createCachedEncoder } from "../../binding/internal.js";
import type { OpenedStream } from "../../binding/internal.js";
import type { JsonValue, StreamingOperation } from "../../protocol/internal.js";
import type { Codec } from "../../wire/internal.js";
import type { SseEncoding } from "./open-sse.js";

/** Encodes the events of one stream as the JSON texts of its dialect. */
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
  return createCachedEncoder({
    operation,
    // 0.1 counts artifacts in the order in which this stream has shown them, so its texts are not shared.
    name: codec.version === "0.1" ? undefined : codec.dialect,
    encode: ({ response }, isFinal) => {
      for (const artifact of response.task?.artifacts ?? []) artifactIndex(artifact.artifactId);
      return codec.encodeEvent(response, isFinal ? last : further).map(toText);
    },
  });
}

function toText(value: JsonValue): string {
  return JSON.stringify(value);
}
