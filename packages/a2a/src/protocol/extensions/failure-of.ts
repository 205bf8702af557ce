import type { JsonObject, JsonValue } from "../json.js";
import { isJsonObject } from "../parse/internal.js";
import type { Task } from "../task.js";
import { statusDetailsUri } from "./status-details.js";

/** What an agent tells programs about a failure. */
export interface TaskFailure {
  /** The kind of failure, by a name that the agent chose: the `code` of `fail()`. */
  readonly code?: string;
  /** The reason in words. */
  readonly message?: string;
  /** What else programs may want to know: the `details` of `fail()`. */
  readonly details?: JsonObject;
}

/**
 * The code and the details that an agent gave when it failed a task, as the task or a status update of it says;
 * `undefined` when it gave none. The error of the client's `text` has it as `failure`.
 */
export function failureOf(owner: Pick<Task, "metadata">): TaskFailure | undefined {
  const status = owner.metadata?.[statusDetailsUri] as { readonly error?: JsonValue } | null;
  const error = status?.error;
  if (!isJsonObject(error)) return undefined;
  const { code, message, details } = error;
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof message === "string" && { message }),
    ...(isJsonObject(details) && { details }),
  };
}
