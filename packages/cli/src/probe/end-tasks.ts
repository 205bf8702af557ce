import { isWorking } from "./probe-message.js";
import type { Session } from "./session.js";

/** How long a call may take by which the tool cleans up, also when its time is over. */
const cleanup = { outlivesDeadline: true, timeoutMs: 3000 } as const;

/** Cancels those of the tasks that are still at work. */
export async function endTasks(session: Session, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    const { result } = await session.call("getTask", { id }, cleanup);
    if (result !== undefined && isWorking(result))
      await session.call("cancelTask", { id }, cleanup);
  }
}
