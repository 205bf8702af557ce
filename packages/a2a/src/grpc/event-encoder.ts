import { endsStream } from "../protocol/internal.js";
import type {
  JsonObject,
  StreamEvent,
  StreamingOperation,
  StreamResponse,
} from "../protocol/internal.js";
import type { Binding } from "./binding.js";
import { addEventId } from "./event-id.js";
import type { MessageType } from "./wire-format.js";

const last = { final: true };
const further = { final: false };

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
  const encode = (response: StreamResponse, final: boolean, place: number | undefined): Buffer => {
    const told = place === undefined ? response : addEventId(response, place);
    const [json = {}] = codec.encodeEvent(told, final ? last : further);
    return message.encode(json as JsonObject);
  };
  return ({ response, sequence, encodings }) => {
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const place = hasEventIds ? sequence : undefined;
    if (encodings === undefined) return encode(response, final, place);
    const key = `grpc ${codec.dialect} ${final} ${place !== undefined}`;
    let bytes = encodings.get(key) as Buffer | undefined;
    if (bytes === undefined) encodings.set(key, (bytes = encode(response, final, place)));
    return bytes;
  };
}
