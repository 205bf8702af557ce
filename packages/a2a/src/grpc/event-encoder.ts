import { endsStream } from "../protocol/index.js";
import type { JsonObject, StreamEvent, StreamingOperation } from "../protocol/index.js";
import type { Binding } from "./binding.js";
import { addEventId } from "./event-id.js";
import type { MessageType } from "./wire-format.js";

/** Writes the events of one stream as the bytes of its version. */
export function createEventEncoder(
  { codec }: Binding,
  {
    operation,
    message,
    hasEventIds,
  }: {
    readonly operation: StreamingOperation;
    readonly message: MessageType;
    readonly hasEventIds: boolean;
  },
): (event: StreamEvent) => Buffer {
  return ({ response, sequence, encodings }) => {
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const marked = hasEventIds && sequence !== undefined;
    const encode = (): Buffer => {
      const told = marked ? addEventId(response, sequence) : response;
      const [json = {}] = codec.encodeEvent(told, { final });
      return message.encode(json as JsonObject);
    };
    if (encodings === undefined) return encode();
    const key = `grpc ${codec.dialect} ${final} ${marked}`;
    let bytes = encodings.get(key) as Buffer | undefined;
    if (bytes === undefined) encodings.set(key, (bytes = encode()));
    return bytes;
  };
}
