import { statusDetailsUri } from "../../protocol/internal.js";
import type { JsonObject, TaskState } from "../../protocol/internal.js";
import { partsOf } from "../author/output.js";
import type { Content } from "../author/output.js";
import type { FailureOptions } from "../author/run-context.js";
import { textOfPart } from "../journal/past.js";

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

/** The code of a failure with details for which the author has no code: peers that read one expect one. */
const unnamed = "FAILED";

/** What programs learn of a failure, where versions before 1.0 have it too. */
export function failureMetadata(
  reason: Content,
  { code, details }: FailureOptions = {},
): JsonObject | undefined {
  if (code === undefined && details === undefined) return undefined;
  const error = {
    code: code ?? unnamed,
    message: partsOf(reason).map(textOfPart).join("\n"),
    ...(details !== undefined && { details }),
  };
  return { [statusDetailsUri]: { error } };
}
