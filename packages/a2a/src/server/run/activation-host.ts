import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Ended } from "./ending.js";

/**
 * Where an activation stands after a stretch of work. "waits": for an answer, and its handler stays where it is.
 * "dropped": in the middle, because the store failed. Otherwise its run has ended.
 */
export type RunEnd = "waits" | "dropped" | Ended;

/** What the activations of a node have in common. One object for all of them, see `HandlerContext`. */
export interface ActivationHost<Activation> {
  readonly agent: Agent;
  readonly environment: RunEnvironment;
  /** The handler is about to wait: from now on it has to be found among those that do. */
  readonly waits: (activation: Activation) => void;
  /** A handler that waits may have its answer: `takeUp` has to be called. */
  readonly woken: (activation: Activation) => void;
  /** A handler that waits goes on without the answer: `proceed` has to be called when there is a slot for it. */
  readonly goesOn: (activation: Activation) => void;
  /** The handler has lost or left its task: if it waits, nobody must find it any more. */
  readonly left: (activation: Activation) => void;
}
