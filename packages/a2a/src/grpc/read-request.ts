import { A2AError, defaultLimits } from "../protocol/index.js";
import type { CallContext, Operation, RequestOf } from "../protocol/index.js";
import { Cursor } from "../wire/index.js";
import type { Binding } from "./binding.js";
import type { GrpcOptions } from "./hosted-agent.js";
import { WireFormatError } from "./wire-format.js";
import type { Decoded, MessageType } from "./wire-format.js";

/** Reads a request message; what is no such message, or breaks a rule, is refused. */
export function readRequest<O extends Operation>(
  bytes: Uint8Array,
  operation: O,
  {
    binding,
    message,
    options,
  }: { readonly binding: Binding; readonly message: MessageType; readonly options: GrpcOptions },
): RequestOf<O> {
  const cursor = new Cursor({ limits: options.limits ?? defaultLimits });
  const json = binding.readRequest(operation, decode(bytes, message), cursor);
  return binding.codec.decodeRequest[operation](json, cursor);
}

function decode(bytes: Uint8Array, message: MessageType): Decoded {
  try {
    return message.decode(bytes);
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    throw new A2AError("PARSE_ERROR", error.message, { cause: error });
  }
}

/** A tenant named in the request, where the server does not decide it. */
export function withTenant(call: CallContext, request: object): CallContext {
  const tenant = "tenant" in request ? request.tenant : undefined;
  return call.tenant === undefined && typeof tenant === "string" ? { ...call, tenant } : call;
}
