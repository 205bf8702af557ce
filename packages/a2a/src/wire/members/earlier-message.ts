import type { Message, Role } from "../../protocol/internal.js";
import { describe, isJsonObject, parseRole } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { completeMessage } from "./missing-members.js";

/** Reads messages of versions before 1.0, whose senders, callers and peers alike, often leave out id and role. */
/* @__NO_SIDE_EFFECTS__ */
export function earlierMessageOf(parse: Parser<Message>): Parser<Message> {
  return (value, cursor) =>
    parse(isJsonObject(value) ? completeMessage(value, cursor) : value, cursor);
}

/** Reads `user` or `agent`, or a role in the spelling of the protobuf versions. */
export function decodeRole(value: unknown, cursor: Cursor): Role {
  if (value === "user") return "ROLE_USER";
  if (value === "agent") return "ROLE_AGENT";
  if (typeof value === "number" || (typeof value === "string" && value.startsWith("ROLE_"))) {
    return parseRole(value, cursor);
  }
  return cursor.fail(`expected "user" or "agent", got ${describe(value)}`);
}

/** The spelling of the JSON schemas: `user` or `agent`. */
export function encodeRole(role: Role): string {
  return role === "ROLE_USER" ? "user" : "agent";
}
