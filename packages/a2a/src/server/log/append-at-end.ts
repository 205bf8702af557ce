import { A2AError } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import type { Append, Appended } from "../../store/internal.js";
import type { Engines, LiveTask } from "./live-task.js";
import { headOf } from "./write.js";
import type { Draft } from "./write.js";

/** The states of a task on which a run works, or is about to. */
const activeStates: readonly TaskState[] = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"];

/**
 * Adds to the log of a task whose run works on another node, wherever the log ends: that node appends all the time, so
 * that an exact place would be lost again and again. Resolves when this node knows the log up to there. Resolves with
 * false, without effect, when no run works on the task any more: it has ended, or waits for its caller.
 */
export async function appendAtEnd(
  { store, bus, notifier }: Pick<Engines, "store" | "bus" | "notifier">,
  live: LiveTask,
  { events, messageIds, idempotency, pushConfig, limits }: Omit<Draft, "node" | "bytes">,
): Promise<boolean> {
  const { taskId } = live.identity;
  const notifyAt = notifier?.now();
  const append: Append = {
    taskId,
    epoch: live.replica.epoch,
    whileStates: activeStates,
    events,
    ...(messageIds !== undefined && { messageIds }),
    ...(idempotency !== undefined && { idempotency }),
    ...(pushConfig !== undefined && { pushConfig }),
    ...(limits !== undefined && { limits }),
    ...(notifyAt !== undefined && { notifyAt }),
  };
  let appended: Appended;
  try {
    appended = await store.append(append);
  } catch (error) {
    const head = headOf(error);
    if (head !== undefined && !activeStates.includes(head.state)) await live.reach(head);
    else if (isEnded(error)) await live.refresh();
    else throw error;
    return false;
  }
  if (appended.queued > 0) notifier?.wake();
  bus.publish(taskId, appended.sequence);
  await live.reach(appended);
  return true;
}

function isEnded(error: unknown): boolean {
  return A2AError.is(error) && error.code === "UNSUPPORTED_OPERATION";
}
