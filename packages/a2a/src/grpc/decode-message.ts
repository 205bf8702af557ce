import { A2AError } from "../protocol/internal.js";
import type { ErrorCode } from "../protocol/internal.js";
import { WireFormatError } from "./wire-format.js";
import type { Decoded, MessageType } from "./wire-format.js";

/** The JSON form of a message. Throws an error of the given code for bytes that are not such a message. */
export function decodeMessage(type: MessageType, bytes: Uint8Array, code: ErrorCode): Decoded {
  try {
    return type.decode(bytes);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new A2AError(code, error.message, { cause: error });
  }
}
