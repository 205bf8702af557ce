import { unknownValuesUri } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import type { KnownIds } from "../codec.js";
import { hasMember, isBlank, memberNamed } from "./named-member.js";
import { readRole } from "./role.js";
import { readTaskState } from "./task-state.js";

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

/** Gives a message an id if it has none. */
export function withMessageId(members: Members, cursor: Cursor): Members {
  const hasId = !isBlank(memberNamed(members, "messageId") ?? "");
  return hasId ? members : { ...members, messageId: cursor.newId() };
}

/** Gives a peer's message an id if it has none, and the role of an agent if it has none that is known. */
export function completeMessage(members: Members, cursor: Cursor): Members {
  const named = withMessageId(members, cursor);
  const { role } = named;
  if (readRole(role) !== undefined || !isEnumValue(role)) return named;
  const isZero = (role ?? 0) === 0 || role === "ROLE_UNSPECIFIED";
  return { ...(isZero ? named : withUnknown(named, { role })), role: "ROLE_AGENT" };
}

/**
 * Reads the state of a task or a status update, whatever it is: none is unspecified, as in protobuf, and so is one that this
 * version does not know. What the peer wrote stays in the metadata, so that an agent of a later version can still be used.
 */
export function completeStatus(owner: Members): Members {
  const { status } = owner;
  if (!isJsonObject(status)) return owner;
  const { state } = status;
  if (readTaskState(state) !== undefined || !isEnumValue(state)) return owner;
  const known = { ...owner, status: { ...status, state: 0 } };
  return hasMember(status, "state") ? withUnknown(known, { state }) : known;
}

/** True for what stands for an enum in ProtoJSON: a name, a number or nothing. */
function isEnumValue(value: unknown): boolean {
  return typeof value === "string" ? value.isWellFormed() : Number.isFinite(value ?? 0);
}

/** Keeps values of members that are unknown here in the metadata, beside what else the peer has written there. */
function withUnknown(owner: Members, values: Members): Members {
  const { metadata } = owner;
  return isJsonObject(metadata ?? {})
    ? { ...owner, metadata: { ...(metadata as Members | null), [unknownValuesUri]: values } }
    : owner;
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
