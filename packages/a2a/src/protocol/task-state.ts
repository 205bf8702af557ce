/** What each state means for a caller; in the order of the protocol's enum numbers. */
const phases = {
  TASK_STATE_UNSPECIFIED: "active",
  TASK_STATE_SUBMITTED: "active",
  TASK_STATE_WORKING: "active",
  TASK_STATE_COMPLETED: "terminal",
  TASK_STATE_FAILED: "terminal",
  TASK_STATE_CANCELED: "terminal",
  TASK_STATE_INPUT_REQUIRED: "interrupted",
  TASK_STATE_REJECTED: "terminal",
  TASK_STATE_AUTH_REQUIRED: "interrupted",
} as const;

/** The state of a task, such as `TASK_STATE_WORKING` (§4.1.3). */
export type TaskState = keyof typeof phases;

/** Every state a task can be in (§4.1.3), in the order of the protocol's enum numbers. */
export const taskStates: readonly TaskState[] = Object.keys(phases) as TaskState[];

/** True when the task has ended for good: nothing can be added to it any more. */
export function isTerminal(state: TaskState): boolean {
  return phases[state] === "terminal";
}

/** True when the task waits for its caller; a message continues it. */
export function isInterrupted(state: TaskState): boolean {
  return phases[state] === "interrupted";
}

/** True when a blocking send has its answer: the task ended or waits for its caller (§3.2.2). */
export function isSettled(state: TaskState): boolean {
  return phases[state] !== "active";
}

/** The state in words, for people and as 0.2 and 0.3 spell it: `input-required`, `completed`. */
export function describeState(state: TaskState): string {
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}
