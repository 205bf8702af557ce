import { LightSignal } from "../../async/internal.js";
import { isSettled } from "../../protocol/internal.js";
import type { LiveHandle } from "../log/live-tasks.js";
import type { RunEnvironment } from "../run-environment.js";

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
 * Waits until the node that holds a waiting handler has taken up its answer, or the task has gone on otherwise, or
 * the signal is aborted. Resolves with true when none of that has happened within `takeUpMs`.
 */
export async function isTakeUpLate(
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
