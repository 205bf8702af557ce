import { snakeCase } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import type { KnownIds } from "../codec.js";
import { isObject } from "./is-object.js";

type Members = Readonly<Record<string, unknown>>;

/**
 * Adds to a parser what peers leave out of their answers. Requests are read as they are: a caller is
 * told what is missing, a peer is understood where that is possible.
 */
/* @__NO_SIDE_EFFECTS__ */
export function forPeers<T>(
  parse: Parser<T>,
  complete: (members: Members, cursor: Cursor) => Members,
): Parser<T> {
  return (value, cursor) =>
    parse(cursor.isPeer && isObject(value) ? complete(value, cursor) : value, cursor);
}

/** The members, with those of `defaults` that are absent or `null`, under their snake_case name too. */
export function withDefaults(members: Members, defaults: Members): Members {
  const missing = Object.keys(defaults).filter((name) => memberNamed(members, name) === null);
  if (missing.length === 0) return members;
  return { ...members, ...Object.fromEntries(missing.map((name) => [name, defaults[name]])) };
}

/** The value under the name or its snake_case form; `null` when it is absent under both. */
export function memberNamed(members: Members, name: string): unknown {
  return members[name] ?? members[snakeCase(name)] ?? null;
}

/** An agent's message whose sender left out who it is from, or its id. */
export function completeMessage(members: Members, cursor: Cursor): Members {
  const messageId = memberNamed(members, "messageId") ?? "";
  const isBlank = typeof messageId === "string" && messageId.trim() === "";
  const named = isBlank ? { ...members, messageId: cursor.newId() } : members;
  return withDefaults(named, { role: "ROLE_AGENT" });
}

/**
 * An artifact without an id. Its place in the task serves as one; an event outside a task continues
 * the first, for peers that leave the id out stream a single artifact.
 */
export function completeArtifact(members: Members, cursor: Cursor): Members {
  const step = cursor.path.at(-1);
  return withDefaults(members, { artifactId: `artifact-${typeof step === "number" ? step : 0}` });
}

const updateNames = ["statusUpdate", "artifactUpdate", "status_update", "artifact_update"];

/** The wrapped event with the ids of its update filled in where they are known and absent. */
export function completeUpdates(json: unknown, known: KnownIds): unknown {
  if (!isObject(json)) return json;
  const name = updateNames.find((one) => isObject(json[one]));
  const update = name === undefined ? undefined : json[name];
  if (name === undefined || !isObject(update)) return json;
  const ids = { taskId: known.taskId, contextId: known.contextId ?? "" };
  const completed = withDefaults(update, ids);
  return completed === update ? json : { ...json, [name]: completed };
}
