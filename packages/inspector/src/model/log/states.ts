import { isInterrupted } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";

/** How a state or an entry looks: a colour with a shape of its own. */
export type Tone = "neutral" | "working" | "waiting" | "done" | "failed" | "artifact";

const tones: Record<TaskState, Tone> = {
  TASK_STATE_UNSPECIFIED: "neutral",
  TASK_STATE_SUBMITTED: "neutral",
  TASK_STATE_WORKING: "working",
  TASK_STATE_COMPLETED: "done",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "neutral",
  TASK_STATE_INPUT_REQUIRED: "waiting",
  TASK_STATE_REJECTED: "failed",
  TASK_STATE_AUTH_REQUIRED: "waiting",
};

export function toneOfState(state: TaskState): Tone {
  return tones[state] ?? "neutral";
}

/** The state as people read it: `Input required`. */
export function nameOfState(state: TaskState): string {
  if (state === "TASK_STATE_UNSPECIFIED") return "Unknown";
  const words = state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isWaiting(state: TaskState): boolean {
  return isInterrupted(state);
}
