import { readTrace } from "../../protocol/tracing/internal.js";
import type {
  CallContext,
  JsonObject,
  JsonValue,
  Principal,
  SendMessageRequest,
  TraceContext,
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
  if (call.requestId !== undefined) record["requestId"] = call.requestId;
  const trace = traceToKeep(call.trace);
  if (trace !== undefined) record["trace"] = trace as unknown as JsonValue;
  return record;
}

/**
 * A trace is kept for runs that go on elsewhere and later, unless its sender is not trusted with it, or nobody will see
 * what they would link to.
 */
function traceToKeep(trace: TraceContext | undefined): TraceContext | undefined {
  if (trace === undefined || trace.isUntrusted === true || trace.isUnseen === true)
    return undefined;
  return readTrace(trace.traceparent, trace.tracestate);
}

/** What the log of an operator says of a call that began a run. */
export function requestOf({ requestId }: JsonObject): Pick<CallContext, "requestId"> {
  return typeof requestId === "string" ? { requestId } : {};
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
