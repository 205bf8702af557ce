import { taskStates } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";

/** States are stored as their numbers in the protocol's enum. */
export function toStateNumber(state: TaskState): number {
  return taskStates.indexOf(state);
}

export function toState(number: number): TaskState {
  return taskStates[number] ?? "TASK_STATE_UNSPECIFIED";
}

/** Some states as a bit each. */
export function toStateMask(states: readonly TaskState[]): number {
  return states.reduce((mask, state) => mask | (1 << toStateNumber(state)), 0);
}
