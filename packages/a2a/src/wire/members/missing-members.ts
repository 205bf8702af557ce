import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import type { KnownIds } from "../codec.js";
import { isBlank, memberNamed } from "./named-member.js";

/**
 * A parser that first fills in what peers leave out of their answers. A caller's request is parsed as
 * it is: an error tells the caller what is missing, while a peer's answer is worth saving.
 */
/* @__NO_SIDE_EFFECTS__ */
export function forPeers<T>(
  parse: Parser<T>,
  complete: (members: Members, cursor: Cursor) => Members,
): Parser<T> {
  return (value, cursor) =>
    parse(cursor.isPeer && isJsonObject(value) ? complete(value, cursor) : value, cursor);
}

/** Adds the defaults of members that are absent or `null` under both their name and its snake_case form. */
export function withDefaults(members: Members, defaults: Members): Members {
  let completed = members;
  for (const name in defaults) {
    if (memberNamed(members, name) === null) completed = { ...completed, [name]: defaults[name] };
  }
  return completed;
}

/** Gives a message an id if it has none, and the role of its sender: a peer is an agent, a caller a user. */
export function completeMessage(members: Members, cursor: Cursor): Members {
  const named = isBlank(memberNamed(members, "messageId") ?? "")
    ? { ...members, messageId: cursor.newId() }
    : members;
  return withDefaults(named, { role: cursor.isPeer ? "ROLE_AGENT" : "ROLE_USER" });
}

/**
 * Gives an artifact an id if it has none: by its place in the task. Outside a task it is the first one,
 * because peers that leave the id out stream a single artifact.
 */
export function completeArtifact(members: Members, cursor: Cursor): Members {
  const step = cursor.path.at(-1);
  return withDefaults(members, { artifactId: `artifact-${typeof step === "number" ? step : 0}` });
}

const updateNames = ["statusUpdate", "artifactUpdate", "status_update", "artifact_update"];

/** Fills in the known ids of the task and its context where a wrapped update leaves them out. */
export function completeUpdates(json: unknown, known: KnownIds): unknown {
  if (!isJsonObject(json)) return json;
  for (const name of updateNames) {
    const update = json[name];
    if (!isJsonObject(update)) continue;
    const ids = { taskId: known.taskId, contextId: known.contextId ?? "" };
    const completed = withDefaults(update, ids);
    return completed === update ? json : { ...json, [name]: completed };
  }
  return json;
}
