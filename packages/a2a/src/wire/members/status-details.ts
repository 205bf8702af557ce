import { statusDetailsUri } from "../../protocol/internal.js";
import type { JsonObject, JsonValue } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Cursor, Members } from "../../protocol/parse/internal.js";
import { hasMember } from "./named-member.js";
import { readTaskState } from "./task-state.js";

const names: readonly string[] = ["progress", "error"];

/**
 * Moves progress and error from the status of a task or an event, not parsed yet, into its metadata. A
 * failed status with an error but no message also gets a message, for callers who read messages only.
 */
export function liftStatusDetails(owner: Members, cursor: Cursor): Members {
  const { status } = owner;
  const metadata = owner["metadata"] ?? {};
  if (!isJsonObject(status) || !isJsonObject(metadata)) return owner;
  const present = names.filter((name) => hasMember(status, name));
  if (present.length === 0) return owner;
  const details = Object.fromEntries(present.map((name) => [name, status[name]]));
  const { error } = status;
  const isFailed = readTaskState(status["state"]) === "TASK_STATE_FAILED";
  const lacksMessage = isFailed && isJsonObject(error) && !hasMember(status, "message");
  return {
    ...owner,
    status: lacksMessage ? { ...status, message: errorMessage(error, cursor) } : status,
    metadata: { ...metadata, [statusDetailsUri]: details },
  };
}

/** The reverse: the metadata without the details, and the details as members of the status. */
export function lowerStatusDetails(metadata: JsonObject | undefined): {
  readonly metadata: JsonObject | undefined;
  readonly details: JsonObject;
} {
  const details = metadata?.[statusDetailsUri];
  if (metadata === undefined || !isJsonObject(details) || !hasOnlyDetails(details)) {
    return { metadata, details: {} };
  }
  const { [statusDetailsUri]: _, ...rest } = metadata;
  return { metadata: Object.keys(rest).length > 0 ? rest : undefined, details };
}

function hasOnlyDetails(details: JsonObject): boolean {
  const members = Object.entries(details);
  const areDetails = members.every(([name, value]) => names.includes(name) && value !== null);
  return areDetails && members.length > 0;
}

function errorMessage(error: Members, cursor: Cursor): Members {
  const { message } = error;
  return {
    messageId: cursor.newId(),
    role: "agent",
    parts: [
      ...(typeof message === "string" ? [{ kind: "text", text: message }] : []),
      { kind: "data", data: error as JsonValue },
    ],
  };
}
