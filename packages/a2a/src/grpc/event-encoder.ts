import { endsStream } from "../protocol/index.js";
import type {
  JsonObject,
  StreamEvent,
  StreamingOperation,
  StreamResponse,
} from "../protocol/index.js";
import type { Binding } from "./binding.js";
import { addEventId } from "./event-id.js";
import type { MessageType } from "./wire-format.js";

/** Encodings of an event, shared by all who watch it. */
const encodings = new WeakMap<StreamResponse, Map<string, Buffer>>();

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
  return ({ response, sequence }) => {
    const state = response.statusUpdate?.status.state ?? response.task?.status.state;
    const final = state !== undefined && endsStream(operation, state);
    const marked = hasEventIds && sequence !== undefined;
    const encode = (): Buffer => {
      const told = marked ? addEventId(response, sequence) : response;
      const [json = {}] = codec.encodeEvent(told, { final });
      return message.encode(json as JsonObject);
    };
    return shared(response, `${codec.dialect} ${final} ${marked}`, encode);
  };
}

function shared(response: StreamResponse, key: string, encode: () => Buffer): Buffer {
  let known = encodings.get(response);
  if (known === undefined) encodings.set(response, (known = new Map()));
  let bytes = known.get(key);
  if (bytes === undefined) known.set(key, (bytes = encode()));
  return bytes;
}
