import type { TaskState } from "../../protocol/internal.js";
import type { Content } from "../author/output.js";

/** Thrown through a handler to end its run in a state, with a reason that the caller sees. */
export class EndOfRun extends Error {
  readonly state: TaskState;
  readonly reason: Content;

  constructor(state: TaskState, reason: Content) {
    super(typeof reason === "string" ? reason : "the run ended");
    this.name = "EndOfRun";
    this.state = state;
    this.reason = reason;
  }
}
