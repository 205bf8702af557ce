import { A2AError, operations } from "../protocol/index.js";
import type { AgentService, CallContext, StreamEvent } from "../protocol/index.js";

/**
 * A service that turns to another for good once the first knows no method to send with. A card that
 * says nothing of versions may be of 0.2 or of 0.1; only the agent's answer tells.
 */
export function fallBack(first: AgentService, second: AgentService): AgentService {
  let current = first;
  const turns = (error: unknown): boolean => {
    const isUnknown = A2AError.is(error) && error.code === "METHOD_NOT_FOUND";
    if (!isUnknown || current === second) return false;
    current = second;
    return true;
  };
  const others = Object.fromEntries(
    operations.map((operation) => [
      operation,
      (request: never, call: CallContext) => current[operation](request, call),
    ]),
  ) as unknown as AgentService;
  return {
    ...others,
    sendMessage: (request, call) =>
      current.sendMessage(request, call).catch((error: unknown) => {
        if (turns(error)) return current.sendMessage(request, call);
        throw error;
      }),
    async *sendStreamingMessage(request, call): AsyncGenerator<StreamEvent, void, void> {
      try {
        yield* current.sendStreamingMessage(request, call);
      } catch (error) {
        if (!turns(error)) throw error;
        yield* current.sendStreamingMessage(request, call);
      }
    },
  };
}
