import type { Message, Role } from "../message.js";
import type { Part } from "../part.js";
import { array, parts } from "./collections.js";
import { describe } from "./cursor.js";
import type { Cursor, Parser } from "./cursor.js";
import { isCleanMessage } from "./is-clean.js";
import { jsonObject } from "./json.js";
import { implicit, object, optional, required } from "./object.js";
import { parsePart } from "./part.js";
import { identifier, string } from "./primitives.js";

/** A role by name or, as ProtoJSON allows, by number. */
export function parseRole(value: unknown, cursor: Cursor): Role {
  if (value === "ROLE_USER" || value === "ROLE_AGENT") return value;
  if (value === 1) return "ROLE_USER";
  if (value === 2) return "ROLE_AGENT";
  return cursor.fail(`expected ROLE_USER or ROLE_AGENT, got ${describe(value)}`);
}

/** An id that may be left out; the empty string counts as left out. */
export function identifierOrEmpty(value: unknown, cursor: Cursor): string {
  return value === "" ? "" : identifier(value, cursor);
}

/** Parses a message with the given parsers of its parts and its role. */
/* @__NO_SIDE_EFFECTS__ */
export function messageOf(part: Parser<Part>, role: Parser<Role>): Parser<Message> {
  return object<Message>({
    messageId: required(identifier),
    role: required(role),
    parts: required(parts(part)),
    contextId: implicit(identifierOrEmpty),
    taskId: implicit(identifierOrEmpty),
    referenceTaskIds: implicit(array(identifier)),
    extensions: implicit(array(string)),
    metadata: optional(jsonObject),
  });
}

const parseAnyMessage = messageOf(parsePart, parseRole);

/** A message in the model's own form. */
export const parseMessage: Parser<Message> = (value, cursor) =>
  isCleanMessage(value, cursor) ? value : parseAnyMessage(value, cursor);
