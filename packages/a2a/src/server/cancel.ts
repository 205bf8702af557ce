import { A2AError, describeState, isInterrupted, isTerminal } from "../protocol/index.js";
import type { Task } from "../protocol/index.js";
import { delay, timestampOf } from "./clock.js";
import type { LiveTask } from "./live-task.js";
import type { RunEnvironment } from "./run-environment.js";

/**
 * Cancels a task in bounded time. A run at work is asked to stop, wherever it works; one that does not
 * within the grace period loses its right to write, and the task is closed without it.
 */
export async function cancelTask(environment: RunEnvironment, live: LiveTask): Promise<Task> {
  const { settings, clock } = environment;
  await live.write((state) => {
    if (state !== "TASK_STATE_CANCELED" && isTerminal(state)) throw notCancelable(live);
    const isAtWork = !isTerminal(state) && !isInterrupted(state);
    return isAtWork ? { events: [{ kind: "cancel-requested" }] } : undefined;
  });
  const deadline = new AbortController();
  const cancelTimer = clock.after(settings.cancelGraceMs, () => deadline.abort());
  try {
    while (!isTerminal(live.state) && !isInterrupted(live.state) && !deadline.signal.aborted) {
      await live.changed(live.sequence, deadline.signal);
    }
  } finally {
    cancelTimer();
  }
  for (let attempt = 0; !isTerminal(live.state); attempt += 1) {
    if (await close(environment, live)) break;
    if (attempt >= 10) throw new A2AError("UNAVAILABLE", "the task changes too often; try again");
    await delay(clock, 10);
  }
  const { task } = await live.snapshot();
  if (task.status.state !== "TASK_STATE_CANCELED") throw notCancelable(live);
  return task;
}

/** Takes the task over and ends it. False when somebody else took it first. */
async function close(environment: RunEnvironment, live: LiveTask): Promise<boolean> {
  const { store, node, clock } = environment;
  const { taskId } = live.origin;
  const epoch = await store.claim({ taskId, node, epoch: live.epoch });
  if (epoch === undefined) {
    await live.refresh();
    return false;
  }
  live.adopt(epoch);
  const status = { state: "TASK_STATE_CANCELED", timestamp: timestampOf(clock.now()) } as const;
  await live.write((state) =>
    isTerminal(state) ? undefined : { events: [{ kind: "status-changed", status }], node: null },
  );
  return true;
}

function notCancelable(live: LiveTask): A2AError {
  const { publicId } = live.origin;
  const message = `task ${publicId} is ${describeState(live.state)}; only active tasks can be canceled`;
  return new A2AError("TASK_NOT_CANCELABLE", message, {
    details: { metadata: { taskId: publicId } },
  });
}
