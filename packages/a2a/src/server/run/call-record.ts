import type {
  CallContext,
  JsonObject,
  JsonValue,
  Principal,
  SendMessageRequest,
} from "../../protocol/internal.js";
import type { GivenContext } from "./handler-context.js";

/** What a run has to know of its call, as JSON for the log: the run may continue later, on another node. */
export function describeCall(call: CallContext, request: SendMessageRequest): JsonObject {
  const modes = request.configuration?.acceptedOutputModes;
  const record: Record<string, JsonValue> = {};
  if (call.principal !== undefined) record["caller"] = call.principal as unknown as JsonValue;
  if (request.metadata !== undefined) record["metadata"] = request.metadata;
  if (call.extensions !== undefined) record["extensions"] = call.extensions;
  if (modes !== undefined) record["acceptedOutputModes"] = modes;
  return record;
}

export function readCall(
  call: JsonObject,
): Pick<GivenContext, "caller" | "metadata" | "extensions" | "acceptedOutputModes"> {
  const { caller, metadata, extensions = [], acceptedOutputModes = [] } = call;
  return {
    caller: caller as unknown as Principal | undefined,
    metadata: metadata as JsonObject | undefined,
    extensions: extensions as readonly string[],
    acceptedOutputModes: acceptedOutputModes as readonly string[],
  };
}
