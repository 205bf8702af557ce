import { A2AError, callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";

/**
 * A service that replaces the first service by the second for good, once the agent does not know the first
 * one's method for sending. A card without a version may be of 0.2 or of 0.1; only the agent's answer tells.
 */
export function fallBack(first: AgentService, second: AgentService): AgentService {
  let current = first;
  const switchAfter = (operation: string, error: unknown): void => {
    const isSend = operation.startsWith("send");
    const isUnknown = A2AError.is(error) && error.code === "METHOD_NOT_FOUND";
    if (!isSend || !isUnknown || current === second) throw error;
    current = second;
  };
  return createService(
    (operation, request, call) =>
      callOnce(current, operation, request, call).catch((error: unknown) => {
        switchAfter(operation, error);
        return callOnce(current, operation, request, call);
      }),
    async function* streamOrSwitch<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      try {
        yield* callStream(current, operation, request, call);
      } catch (error) {
        switchAfter(operation, error);
        yield* callStream(current, operation, request, call);
      }
    },
  );
}
