import type { AgentExtension } from "../agent-card.js";
import type { JsonObject, JsonValue } from "../json.js";
import { describeState } from "../task-state.js";
import type { TaskStatus } from "../task.js";

/**
 * The extension by which tasks tell the states they have been in: a list of `{ state, timestamp }` in the metadata of a
 * task, the oldest first, with states as 0.3 spells them. Versions before 1.0 have a capability for it,
 * `stateTransitionHistory`, but no member.
 */
export const stateTransitionsUri = "urn:parley:a2a:state-transitions:v1";

/** The declaration in the card of an agent whose tasks tell them. */
export const stateTransitionsExtension: AgentExtension = {
  uri: stateTransitionsUri,
  description: "Tasks have the latest 100 changes of their state in their metadata, under this URI",
};

/** A task keeps so many changes, and then drops the oldest. */
const maxTransitions = 100;

/** The metadata of a task whose first status this is, and which is to keep the changes of its state. */
export function firstTransition(status: TaskStatus): JsonObject {
  return { [stateTransitionsUri]: [transition(status)] };
}

/** Adds a state that the task has changed to, if the metadata are those of a task that keeps them. */
export function addTransition(
  metadata: JsonObject | undefined,
  status: TaskStatus,
): JsonObject | undefined {
  const past = metadata?.[stateTransitionsUri];
  if (!Array.isArray(past)) return metadata;
  const latest = [...(past as JsonValue[]), transition(status)].slice(-maxTransitions);
  return { ...metadata, [stateTransitionsUri]: latest };
}

function transition({ state, timestamp }: TaskStatus): JsonObject {
  return { state: describeState(state), ...(timestamp !== undefined && { timestamp }) };
}
