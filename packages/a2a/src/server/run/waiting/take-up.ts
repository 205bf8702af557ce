import { LightSignal } from "../../../async/internal.js";
import { isSettled } from "../../../protocol/internal.js";
import { claimTask } from "../../log/claim-task.js";
import type { LiveHandle } from "../../log/live-tasks.js";
import type { RunEnvironment } from "../../run-environment.js";

/** When the holder is woken again, in case the bus has lost a wake-up. */
const remindersMs = [250, 1000];

/** An answer that was left to the node that holds the waiting handler. */
export interface LeftAnswer {
  readonly handle: LiveHandle;
  readonly epoch: number;
  /** The last entry of the append that brought the answer. */
  readonly sequence: number;
  /** As whom a run counts that this node begins with the answer. */
  readonly share: string;
}

/**
 * Leaves an answer to the node that holds the waiting handler. Claims the task for this node, and resolves with the new
 * epoch, if that node does not take the answer up in time. Never rejects.
 */
export async function claimIfLate(
  environment: RunEnvironment,
  left: LeftAnswer,
  stop: LightSignal,
): Promise<number | undefined> {
  const { epoch } = left;
  const { live } = left.handle;
  const { taskId, publicId } = live.identity;
  try {
    if (!(await isTakeUpLate(environment, left, stop))) return undefined;
    await live.refresh();
    const { sequence } = live.replica;
    if (sequence !== left.sequence || live.replica.epoch !== epoch) return undefined;
    const claimed = await claimTask(environment, { taskId, epoch, sequence });
    if (claimed !== undefined) live.replica.adopt(claimed);
    return claimed;
  } catch (error) {
    environment.report(error, publicId);
    return undefined;
  }
}

/**
 * Waits until the node that holds a waiting handler has taken up its answer, or the task has gone on otherwise, or
 * the signal is aborted. Resolves with true when none of that has happened within `takeUpMs`.
 */
async function isTakeUpLate(
  { bus, clock, settings }: RunEnvironment,
  { handle: { live }, epoch, sequence }: LeftAnswer,
  stop: LightSignal,
): Promise<boolean> {
  const { taskId } = live.identity;
  const over = new LightSignal();
  let isLate = false;
  const stopWaiting = [
    stop.onAbort(() => over.abort()),
    clock.after(settings.takeUpMs, () => {
      isLate = true;
      over.abort();
    }),
    ...remindersMs.map((ms) => clock.after(ms, () => bus.publish(taskId, sequence))),
    live.replica.observe(sequence, {
      added: ({ event }) => {
        const isSettling = event.kind === "status-changed" && isSettled(event.status.state);
        if (isSettling || event.kind === "run-resumed") over.abort();
      },
      claimed: () => over.abort(),
    }),
  ];
  if (stop.aborted || live.replica.epoch !== epoch) over.abort();
  await over.whenAborted();
  for (const stopOne of stopWaiting) stopOne();
  return isLate;
}
