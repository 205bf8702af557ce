import { A2AError, callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";

/**
 * A service that turns to another for good once the first knows no method to send with. A card that
 * says nothing of versions may be of 0.2 or of 0.1; only the agent's answer tells.
 */
export function fallBack(first: AgentService, second: AgentService): AgentService {
  let current = first;
  const turnAfter = (operation: string, error: unknown): void => {
    const isSend = operation.startsWith("send");
    const isUnknown = A2AError.is(error) && error.code === "METHOD_NOT_FOUND";
    if (!isSend || !isUnknown || current === second) throw error;
    current = second;
  };
  return createService(
    (operation, request, call) =>
      callOnce(current, operation, request, call).catch((error: unknown) => {
        turnAfter(operation, error);
        return callOnce(current, operation, request, call);
      }),
    async function* turning<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      try {
        yield* callStream(current, operation, request, call);
      } catch (error) {
        turnAfter(operation, error);
        yield* callStream(current, operation, request, call);
      }
    },
  );
}
