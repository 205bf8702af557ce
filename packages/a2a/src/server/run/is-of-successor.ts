import { isTerminal } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";

/**
 * Whether an entry that a run did not write shows that another handler works on its task, or has ended it. The epoch does not
 * always tell: wake-ups bring entries without it, and a failover of the store that loses a claim gives an epoch twice.
 */
export function isOfSuccessor(event: LogEvent, attempt: number): boolean {
  if (event.kind === "run-resumed") return event.attempt > attempt;
  return event.kind === "status-changed" && isTerminal(event.status.state);
}
