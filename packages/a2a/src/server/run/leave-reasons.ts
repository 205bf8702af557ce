import { A2AError } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";

/** Why runs are left when the time to finish is over. */
export function stopping(): Error {
  return new Error("this node is stopping");
}

/** Why a run does not go on whose task has ended without it. */
export function endedMeanwhile(state?: TaskState): A2AError {
  const isCanceled = state === "TASK_STATE_CANCELED";
  const message = isCanceled
    ? "the task was canceled"
    : "the task ended before its run could go on";
  return new A2AError("UNSUPPORTED_OPERATION", message);
}
