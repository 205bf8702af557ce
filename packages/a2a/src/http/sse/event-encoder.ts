import { createCachedEncoder } from "../../binding/internal.js";
import type { OpenedStream } from "../../binding/internal.js";
import { endsStream } from "../../protocol/internal.js";
import type { JsonValue, StreamEvent, StreamingOperation } from "../../protocol/internal.js";
import type { Codec } from "../../wire/internal.js";
import { encodeJson } from "../large/encode-json.js";
import { sharedPieces } from "../large/large-response.js";
import type { SseEncoding } from "./open-sse.js";

/** Encodes the events of one stream as the JSON texts of its dialect. */
export function createEventEncoder(
  codec: Codec,
  operation: StreamingOperation,
  { taskId, artifactIds }: Pick<OpenedStream, "taskId" | "artifactIds">,
): Pick<SseEncoding, "encodeEvent" | "encodeLargeEvent"> {
  const indexes = new Map(artifactIds.map((id, index): [string, number] => [id, index]));
  const artifactIndex = (artifactId: string): number => {
    const index = indexes.get(artifactId) ?? indexes.size;
    indexes.set(artifactId, index);
    return index;
  };
  const further = { final: false, artifactIndex, ...(taskId !== undefined && { taskId }) };
  const last = { ...further, final: true };
  const countArtifacts = ({ response }: StreamEvent): void => {
    for (const artifact of response.task?.artifacts ?? []) artifactIndex(artifact.artifactId);
  };
  return {
    encodeEvent: createCachedEncoder({
      operation,
      // 0.1 counts artifacts in the order in which this stream has shown them, so its texts are not shared.
      name: codec.version === "0.1" ? undefined : codec.dialect,
      encode: (event, isFinal) => {
        countArtifacts(event);
        return codec.encodeEvent(event.response, isFinal ? last : further).map(toText);
      },
    }),
    encodeLargeEvent(event) {
      countArtifacts(event);
      const { response, encodings } = event;
      const state = response.task?.status.state;
      const isFinal = state !== undefined && endsStream(operation, state);
      // A task is the first event of a stream, so in 0.1, too, its texts are the same for all.
      return sharedPieces(encodings, `${codec.dialect}${isFinal ? " final" : ""}`, async () => {
        const texts = codec.encodeEvent(response, isFinal ? last : further);
        return Promise.all(texts.map(encodeJson));
      });
    },
  };
}

function toText(value: JsonValue): string {
  return JSON.stringify(value);
}
