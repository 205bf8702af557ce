import { createCachedEncoder } from "../../binding/internal.js";
import type { JsonObject, StreamEvent, StreamingOperation } from "../../protocol/internal.js";
import type { Binding } from "../binding.js";
import { addEventId } from "./event-id.js";
import type { MessageType } from "../wire-format.js";

const last = { final: true };
const further = { final: false };

export interface EventEncoderOptions {
  readonly operation: StreamingOperation;
  readonly message: MessageType;
  /** Whether the caller wants to see the sequence of events. */
  readonly hasEventIds: boolean;
}

/** Encodes the events of one stream as the bytes of its version, each behind its prefix. */
export function createEventEncoder(
  { codec }: Binding,
  { operation, message, hasEventIds }: EventEncoderOptions,
): (event: StreamEvent) => Buffer {
  return createCachedEncoder({
    operation,
    name: `grpc ${codec.dialect}${hasEventIds ? " with ids" : ""}`,
    encode: ({ response, sequence }, isFinal) => {
      const isNumbered = hasEventIds && sequence !== undefined;
      const shown = isNumbered ? addEventId(response, sequence) : response;
      const [json = {}] = codec.encodeEvent(shown, isFinal ? last : further);
      return message.frame(json as JsonObject);
    },
  });
}
