import type { JsonObject, TaskState } from "../../protocol/internal.js";
import type { Content } from "../author/output.js";

/** Thrown through a handler to end its run in a state, with a reason that the caller sees. */
export class EndOfRun extends Error {
  readonly state: TaskState;
  readonly reason: Content;
  /** The metadata of the status. */
  readonly metadata: JsonObject | undefined;

  constructor(state: TaskState, reason: Content, metadata?: JsonObject) {
    super(typeof reason === "string" ? reason : "the run ended");
    this.name = "EndOfRun";
    this.state = state;
    this.reason = reason;
    this.metadata = metadata;
  }
}
