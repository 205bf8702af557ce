import { A2AError, canceledError } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";

/** Why runs are left when the time to finish is over. */
export function stopping(): Error {
  return new Error("this node is stopping");
}

/** Why a run stops whose task another node works on. */
export function takenOver(): Error {
  return new Error("another node has taken over the task");
}

/** Why a run stops whose task is canceled. */
export function canceled(): A2AError {
  return canceledError("the task was canceled");
}

/** Why a run does not go on whose task has ended without it. */
export function endedMeanwhile(state?: TaskState): A2AError {
  if (state === "TASK_STATE_CANCELED") return canceled();
  return new A2AError("UNSUPPORTED_OPERATION", "the task ended before its run could go on");
}
