import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";
import type { Clock } from "../../async/internal.js";
import { isRead } from "./retry.js";
import type { StreamSlots } from "./stream-slots.js";
import { awaitAnswer } from "./watched-stream.js";

export interface CallLimits {
  /** Streams to the host beyond these slots wait. */
  readonly slots: StreamSlots;
  readonly host: string;
  readonly clock: Clock;
  /** How long the answer to a read may take. A send may take any time, since the agent works on it. */
  readonly stallMs: number;
}

/** A service in front of a service: limits the streams that are open to a host, and the wait for a read. */
export function limitCalls(service: AgentService, limits: CallLimits): AgentService {
  return createService(
    (operation, request, call) => {
      const answer = (one: CallContext) => callOnce(service, operation, request, one);
      return isRead(operation) ? awaitAnswer(answer, { ...limits, call }) : answer(call);
    },
    async function* limited<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      const giveBack = await limits.slots.take(limits.host, call.signal);
      try {
        yield* callStream(service, operation, request, call);
      } finally {
        giveBack();
      }
    },
  );
}
