import { A2AError } from "../../protocol/internal.js";
import type { Operation } from "../../protocol/internal.js";

/** The codec function of an operation that 0.1 does not have: it throws `UNSUPPORTED_OPERATION`. */
export function unsupported(operation: Operation): () => never {
  return () => {
    const message = `version 0.1 of the protocol has no operation ${operation}`;
    throw new A2AError("UNSUPPORTED_OPERATION", message, {
      details: { metadata: { operation } },
    });
  };
}
