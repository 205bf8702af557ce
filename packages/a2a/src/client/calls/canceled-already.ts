import { A2AError } from "../../protocol/internal.js";
import type { Task } from "../../protocol/internal.js";

/**
 * What a caller wanted who is refused to cancel a task: the task, if it is canceled already. Two callers may cancel at
 * once, and an answer may have been lost on its way. Otherwise throws the refusal.
 */
export async function canceledAlready(
  refusal: unknown,
  getTask: () => Promise<Task>,
): Promise<Task> {
  if (!A2AError.is(refusal) || refusal.code !== "TASK_NOT_CANCELABLE") throw refusal;
  const task = await getTask().catch(() => undefined);
  if (task?.status.state !== "TASK_STATE_CANCELED") throw refusal;
  return task;
}
