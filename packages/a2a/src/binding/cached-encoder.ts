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
  readonly encode: (event: StreamEvent, isFinal: boolean) => T;
}

/** Encodes the events of a stream. An event that several watchers share is encoded once for all of them. */
export function createCachedEncoder<T extends {}>({
  operation,
  name,
  encode,
}: EventEncoding<T>): (event: StreamEvent) => T {
  const finalName = `${name} final`;
  return (event) => {
    const { response, encodings } = event;
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const isFinal = state !== undefined && endsStream(operation, state);
    if (name === undefined || encodings === undefined) return encode(event, isFinal);
    const key = isFinal ? finalName : name;
    let encoding = encodings.get(key) as T | undefined;
    if (encoding === undefined) encodings.set(key, (encoding = encode(event, isFinal)));
    return encoding;
  };
}
