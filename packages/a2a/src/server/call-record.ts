import type {
  CallContext,
  JsonObject,
  JsonValue,
  Principal,
  SendMessageRequest,
} from "../protocol/index.js";
import type { GivenContext } from "./handler-context.js";

/** What a run has to know of its call, as JSON, for when it goes on elsewhere or later. */
export function describeCall(call: CallContext, request: SendMessageRequest): JsonObject {
  const modes = request.configuration?.acceptedOutputModes;
  return {
    ...(call.principal !== undefined && { caller: call.principal as unknown as JsonValue }),
    ...(request.metadata !== undefined && { metadata: request.metadata }),
    ...(call.extensions !== undefined && { extensions: call.extensions }),
    ...(modes !== undefined && { acceptedOutputModes: modes }),
  };
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
