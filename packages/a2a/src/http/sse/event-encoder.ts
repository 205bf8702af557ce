import { encodeOnce } from "../../binding/internal.js";
import type { EventEncoding, OpenedStream } from "../../binding/internal.js";
import { endsStream } from "../../protocol/internal.js";
import type { JsonValue, StreamEvent, StreamingOperation } from "../../protocol/internal.js";
import type { Codec } from "../../wire/internal.js";
import { encodeJson } from "../large/encode-json.js";
import type { Pieces } from "../large/encode-json.js";
import { sharedPieces } from "../large/large-response.js";

/** A text that several streams share is given as bytes if it is at least this long: sockets then share them, too. */
const longText = 4096;

const utf8 = new TextEncoder();

/** Encodes the events of one stream as the JSON texts of its dialect. */
export class EventEncoder implements EventEncoding<readonly (string | Uint8Array)[]> {
  readonly operation: StreamingOperation;
  readonly #codec: Codec;
  readonly #taskId: string | undefined;
  /** Only 0.1 counts artifacts: in the order in which the stream has shown them. */
  readonly #artifactIndex: ((artifactId: string) => number) | undefined;

  constructor(
    codec: Codec,
    operation: StreamingOperation,
    { taskId, artifactIds }: Pick<OpenedStream, "taskId" | "artifactIds">,
  ) {
    this.operation = operation;
    this.#codec = codec;
    this.#taskId = taskId;
    this.#artifactIndex = codec.version === "0.1" ? countArtifacts(artifactIds) : undefined;
  }

  /** Absent where the texts depend on what the stream has shown before. */
  get name(): string | undefined {
    return this.#artifactIndex === undefined ? this.#codec.dialect : undefined;
  }

  /** The texts of an event, made once for all streams of the dialect. */
  textsOf(event: StreamEvent): readonly (string | Uint8Array)[] {
    return encodeOnce(this, event);
  }

  /** The same for a large event, in turns with everyone else. */
  largeTextsOf(event: StreamEvent): Promise<readonly Pieces[]> {
    const state = event.response.task?.status.state;
    const isFinal = state !== undefined && endsStream(this.operation, state);
    this.#count(event);
    // A task is the first event of a stream, so in 0.1, too, its texts are the same for all.
    return sharedPieces(event.encodings, `${this.#codec.dialect}${isFinal ? " final" : ""}`, () =>
      Promise.all(this.#valuesOf(event, isFinal).map(encodeJson)),
    );
  }

  encode(event: StreamEvent, isFinal: boolean): readonly (string | Uint8Array)[] {
    this.#count(event);
    const texts = this.#valuesOf(event, isFinal).map(toText);
    const isShared = event.encodings !== undefined && this.name !== undefined;
    return isShared
      ? texts.map((text) => (text.length < longText ? text : utf8.encode(text)))
      : texts;
  }

  #count({ response }: StreamEvent): void {
    if (this.#artifactIndex === undefined) return;
    for (const { artifactId } of response.task?.artifacts ?? []) this.#artifactIndex(artifactId);
  }

  #valuesOf({ response }: StreamEvent, isFinal: boolean): readonly JsonValue[] {
    const artifactIndex = this.#artifactIndex;
    const taskId = this.#taskId;
    return this.#codec.encodeEvent(response, {
      final: isFinal,
      ...(artifactIndex !== undefined && { artifactIndex }),
      ...(taskId !== undefined && { taskId }),
    });
  }
}

/** Gives each artifact the next number when it is first shown, and the same from then on. */
function countArtifacts(shown: readonly string[]): (artifactId: string) => number {
  const indexes = new Map(shown.map((id, index): [string, number] => [id, index]));
  return (artifactId) => {
    const index = indexes.get(artifactId) ?? indexes.size;
    indexes.set(artifactId, index);
    return index;
  };
}

function toText(value: JsonValue): string {
  return JSON.stringify(value);
}
