import { A2AError, describeState, isSettled, isTerminal } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import { timestampOf } from "../timestamp.js";
import type { LiveTask } from "../log/live-task.js";
import type { Snapshot } from "../log/task-replica.js";
import { appendAtEnd } from "../log/append-at-end.js";
import { claimTask } from "../log/claim-task.js";
import { isConflict } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";

/** How often to try to claim a task that others claim at the same time. */
const maxAttempts = 10;

/** How long whoever has claimed a task first gets to write. */
const headStartMs = 100;

/**
 * Cancels a task within `cancelGraceMs`, roughly. Asks the run to stop, on whichever node it works. A run that
 * does not stop in time loses the right to write, and this node cancels the task without it. All who cancel a task
 * before it has ended get the canceled task.
 */
export async function cancelTask(environment: RunEnvironment, live: LiveTask): Promise<Snapshot> {
  const { settings } = environment;
  await requestCancel(environment, live);
  await waitAtMost(environment, live, settings.cancelGraceMs, isSettled);
  for (let attempt = 0; !isTerminal(live.replica.state); attempt += 1) {
    if (attempt >= maxAttempts) {
      throw new A2AError("UNAVAILABLE", "other nodes keep claiming the task; try again");
    }
    if (await close(environment, live)) break;
    await live.refresh();
    await waitAtMost(environment, live, headStartMs, isTerminal);
  }
  const snapshot = await live.snapshot();
  const { state } = snapshot.task.status;
  if (state !== "TASK_STATE_CANCELED") throw notCancelable(live.identity.publicId, state);
  return snapshot;
}

const requested = { events: [{ kind: "cancel-requested" }] } as const;

/** Asks the run to stop, on whichever node it works. No run works on a task that waits or has ended. */
async function requestCancel(environment: RunEnvironment, live: LiveTask): Promise<void> {
  const isHere = live.holder?.epoch === live.replica.epoch;
  if (isHere) await live.write((state) => (isSettled(state) ? undefined : requested));
  else if (!isSettled(live.replica.state)) await appendAtEnd(environment, live, requested);
}

/** Resolves when the task is in a state as is waited for, and after a time at the latest. */
async function waitAtMost(
  { clock }: RunEnvironment,
  { replica }: LiveTask,
  maxMs: number,
  isReached: (state: TaskState) => boolean,
): Promise<void> {
  const deadline = new AbortController();
  const cancelTimer = clock.after(maxMs, () => deadline.abort());
  try {
    while (!isReached(replica.state) && !deadline.signal.aborted) {
      await replica.changed(replica.sequence, deadline.signal);
    }
  } finally {
    cancelTimer();
  }
}

/** Claims the task and ends it. False when somebody else has claimed it at the same time. */
async function close(environment: RunEnvironment, live: LiveTask): Promise<boolean> {
  const { clock, orphans } = environment;
  const { taskId } = live.identity;
  const epoch = await claimTask(environment, { taskId, epoch: live.replica.epoch });
  if (epoch === undefined) return false;
  live.replica.adopt(epoch);
  const status = { state: "TASK_STATE_CANCELED", timestamp: timestampOf(clock.now()) } as const;
  try {
    await live.write(() => ({ events: [{ kind: "status-changed", status }], node: null }), {
      epoch,
    });
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    // The claim has taken the task from its run, so recovery has to end it.
    orphans.add(taskId);
    throw error;
  }
}

/** Refuses to cancel a task that has ended. By `taskState` a caller learns that it has what it wanted. */
export function notCancelable(taskId: string, state: TaskState): A2AError {
  const taskState = describeState(state);
  const message = `task ${taskId} is ${taskState}; only active tasks can be canceled`;
  return new A2AError("TASK_NOT_CANCELABLE", message, {
    details: { metadata: { taskId, taskState } },
  });
}
