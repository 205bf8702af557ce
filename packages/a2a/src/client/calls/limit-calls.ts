import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  RequestOf,
  StreamEvent,
  StreamingOperation,
} from "../../protocol/internal.js";
import { isRead } from "./retry.js";
import type { StreamSlots } from "./stream-slots.js";
import type { Timers } from "../timers.js";
import { hearOnce } from "./watched-stream.js";

export interface CallLimits {
  /** For streams to the host; those beyond wait. */
  readonly slots: StreamSlots;
  readonly host: string;
  readonly timers: Timers;
  /** How long an answer may take that takes no work. A send may take forever. */
  readonly stallMs: number;
}

/** A service that has no more streams open to its host than it may, and does not wait for who is gone. */
export function limitCalls(service: AgentService, limits: CallLimits): AgentService {
  return createService(
    (operation, request, call) => {
      const answer = (one: CallContext) => callOnce(service, operation, request, one);
      return isRead(operation) ? hearOnce(answer, { ...limits, call }) : answer(call);
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
