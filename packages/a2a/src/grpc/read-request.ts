import { A2AError, defaultLimits } from "../protocol/internal.js";
import type { Limits, Operation, RequestOf } from "../protocol/internal.js";
import { Cursor } from "../wire/internal.js";
import type { Binding } from "./binding.js";
import { WireFormatError } from "./wire-format.js";
import type { Decoded, MessageType } from "./wire-format.js";

/** The JSON form of a request message; what is no such message is refused. */
export function decodeMessage(bytes: Uint8Array, message: MessageType): Decoded {
  try {
    return message.decode(bytes);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new A2AError("PARSE_ERROR", error.message, { cause: error });
  }
}

/** Reads what a message asks for; what breaks a rule is refused. */
export function readRequest<O extends Operation>(
  message: Decoded,
  operation: O,
  {
    binding,
    limits = defaultLimits,
  }: { readonly binding: Binding; readonly limits: Limits | undefined },
): RequestOf<O> {
  const cursor = new Cursor({ limits });
  const json = binding.readRequest(operation, message, cursor);
  return binding.codec.decodeRequest[operation](json, cursor);
}
