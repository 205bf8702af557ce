import { endsStream } from "../protocol/internal.js";
import type { StreamEvent, StreamingOperation } from "../protocol/internal.js";

export interface EventEncoding<T> {
  readonly operation: StreamingOperation;
  /**
   * The name of the encoding: streams of one name share what they make of an event. Absent where an encoding
   * depends on the stream.
   */
  readonly name: string | undefined;
  /** Encodes an event; `isFinal` for the event that the stream ends with. */
  encode(event: StreamEvent, isFinal: boolean): T;
}

/** Encodes an event of a stream. An event that several watchers share is encoded once for all of them. */
export function encodeOnce<T extends {}>(encoding: EventEncoding<T>, event: StreamEvent): T {
  const { operation, name } = encoding;
  const { response, encodings } = event;
  const state = response.statusUpdate?.status.state ?? response.task?.status.state;
  const isFinal = state !== undefined && endsStream(operation, state);
  if (name === undefined || encodings === undefined) return encoding.encode(event, isFinal);
  const key = isFinal ? `${name} final` : name;
  let encoded = encodings.get(key) as T | undefined;
  if (encoded === undefined) encodings.set(key, (encoded = encoding.encode(event, isFinal)));
  return encoded;
}

/** Encodes the events of a stream, each once for all who watch. */
export function createCachedEncoder<T extends {}>(
  encoding: EventEncoding<T>,
): (event: StreamEvent) => T {
  return (event) => encodeOnce(encoding, event);
}
