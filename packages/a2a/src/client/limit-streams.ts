import { callOnce, callStream, createService } from "../protocol/index.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../protocol/index.js";
import type { StreamSlots } from "./stream-slots.js";

/** A service that has no more streams open to its host than there are slots. */
export function limitStreams(
  service: AgentService,
  slots: StreamSlots,
  host: string,
): AgentService {
  return createService(
    (operation, request, call) => callOnce(service, operation, request, call),
    async function* limited<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      const giveBack = await slots.take(host, call.signal);
      try {
        yield* callStream(service, operation, request, call);
      } finally {
        giveBack();
      }
    },
  );
}
