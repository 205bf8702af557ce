import type {
  ListTasksResponse,
  SendMessageResponse,
  StreamResponse,
  Task,
} from "../../protocol/internal.js";
import { array, integer, object, required, string } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import type { KnownIds } from "../codec.js";
import { forPeers, withDefaults } from "./missing-members.js";

/**
 * Parses a page of tasks, or the bare list of the 0.3 REST prose, which has all tasks. Peers that omit
 * default values leave out members that are empty or zero.
 */
/* @__NO_SIDE_EFFECTS__ */
export function taskListOf(task: Parser<Task>): Parser<ListTasksResponse> {
  const list = array(task);
  const page = forPeers(
    object<ListTasksResponse>({
      tasks: required(list),
      nextPageToken: required(string),
      pageSize: required(integer(0)),
      totalSize: required(integer(0)),
    }),
    (members) => withDefaults(members, { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 }),
  );
  return (value, cursor) => {
    if (!Array.isArray(value)) return page(value, cursor);
    const tasks = list(value, cursor);
    return { tasks, nextPageToken: "", pageSize: tasks.length, totalSize: tasks.length };
  };
}

/** Parses the answer to a send: a task or a message, encoded like an event. */
/* @__NO_SIDE_EFFECTS__ */
export function sendResultOf(
  decodeEvent: (json: unknown, cursor: Cursor, known: KnownIds) => StreamResponse,
): (json: unknown, cursor: Cursor, known: KnownIds) => SendMessageResponse {
  return (json, cursor, known) => {
    const response = decodeEvent(json, cursor, known);
    if (response.task) return { task: response.task };
    if (response.message) return { message: response.message };
    return cursor.fail("expected a task or a message");
  };
}
