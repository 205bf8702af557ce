import { A2AError, describeState, isSettled, isTerminal } from "../../protocol/internal.js";
import { timestampOf } from "../timestamp.js";
import type { LiveTask } from "../log/live-task.js";
import type { Snapshot } from "../log/task-replica.js";
import type { RunEnvironment } from "../run-environment.js";

/** How often to try to claim a task that other nodes claim at the same time. */
const maxAttempts = 10;

/**
 * Cancels a task within `cancelGraceMs`, roughly. Asks the run to stop, on whichever node it works. A run that
 * does not stop in time loses the right to write, and this node cancels the task without it.
 */
export async function cancelTask(environment: RunEnvironment, live: LiveTask): Promise<Snapshot> {
  const { settings, clock } = environment;
  await live.write((state) => (isSettled(state) ? undefined : { events: [cancelRequested] }));
  const deadline = new AbortController();
  const cancelTimer = clock.after(settings.cancelGraceMs, () => deadline.abort());
  try {
    while (!isSettled(live.replica.state) && !deadline.signal.aborted) {
      await live.replica.changed(live.replica.sequence, deadline.signal);
    }
  } finally {
    cancelTimer();
  }
  for (let attempt = 0; !isTerminal(live.replica.state); attempt += 1) {
    if (attempt >= maxAttempts) {
      throw new A2AError("UNAVAILABLE", "other nodes keep claiming the task; try again");
    }
    await close(environment, live);
  }
  const snapshot = await live.snapshot();
  if (snapshot.task.status.state !== "TASK_STATE_CANCELED") throw notCancelable(live);
  return snapshot;
}

const cancelRequested = { kind: "cancel-requested" } as const;

/** Claims the task and ends it, unless another node claims it at the same time. */
async function close(environment: RunEnvironment, live: LiveTask): Promise<void> {
  const { store, node, clock, orphans } = environment;
  const { taskId } = live.identity;
  const epoch = await store.claim({ taskId, node, epoch: live.replica.epoch });
  if (epoch === undefined) return live.refresh();
  live.replica.adopt(epoch);
  const status = { state: "TASK_STATE_CANCELED", timestamp: timestampOf(clock.now()) } as const;
  try {
    await live.write(() => ({ events: [{ kind: "status-changed", status }], node: null }), {
      epoch,
    });
  } catch (error) {
    // The claim has taken the task from its run, so recovery has to end it.
    orphans.add(taskId);
    throw error;
  }
}

function notCancelable(live: LiveTask): A2AError {
  const { publicId } = live.identity;
  const message = `task ${publicId} is ${describeState(live.replica.state)}; only active tasks can be canceled`;
  return new A2AError("TASK_NOT_CANCELABLE", message, {
    details: { metadata: { taskId: publicId } },
  });
}
