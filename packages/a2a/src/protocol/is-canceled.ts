import { A2AError } from "./a2a-error.js";
import type { TaskState } from "./task-state.js";

const canceled: TaskState = "TASK_STATE_CANCELED";

/** Says that a task was canceled. Its state is among the details, where `isCanceled` finds it. */
export function canceledError(message: string): A2AError {
  return new A2AError("UNSUPPORTED_OPERATION", message, {
    details: { metadata: { state: canceled } },
  });
}

/**
 * Whether an error says that a task was canceled. Of `signal.reason` it tells a handler whether a caller canceled the task: the
 * signal is aborted also when the task goes on in another process.
 */
export function isCanceled(error: unknown): boolean {
  return A2AError.is(error) && error.details.metadata?.["state"] === canceled;
}
