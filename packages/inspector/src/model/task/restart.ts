import type { JsonObject, Part } from "@parley/a2a";
import type { LogIndex } from "../log/log-index.js";

/** A message that is sent again: what it says, without what names the task it was in. */
export interface AgainMessage {
  readonly parts: readonly Part[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

/**
 * The caller's messages up to a position, to be sent one after the other as a new task. A2A cannot rewind a task: what
 * the agent did with it stays done.
 */
export function messagesUpTo(index: LogIndex, position: number): AgainMessage[] {
  const view = index.at(position);
  const { message } = view.status;
  return [...view.history(), ...(message ? [message] : [])]
    .filter(({ role }) => role === "ROLE_USER")
    .map(({ parts, metadata, extensions }) => ({
      parts,
      ...(metadata && { metadata }),
      ...(extensions && { extensions }),
    }));
}
