import type { JsonObject, Message, Role } from "../../protocol/internal.js";
import { describe, messageOf, parseRole } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { isObject } from "../members/is-object.js";
import { memberNamed, withDefaults } from "../members/peer-defaults.js";
import { decodePart, encodePart } from "./part.js";
import type { Shape } from "./shape.js";

const parse = messageOf(decodePart, decodeRole);

/** A message; who sent it and its id are often left out in these versions, and are filled in. */
export const decodeMessage: Parser<Message> = (value, cursor) =>
  parse(completeMessage(value, cursor), cursor);

/** The role and, where it is missing or blank, the id that a message of an early version lacks. */
export function completeMessage(value: unknown, cursor: Cursor): unknown {
  if (!isObject(value)) return value;
  const messageId = memberNamed(value, "messageId");
  const isBlank = messageId === null || isBlankString(messageId);
  return withDefaults(isBlank ? { ...value, messageId: cursor.newId() } : value, {
    role: cursor.isPeer ? "agent" : "user",
  });
}

export function isBlankString(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}

/** `user` or `agent`, or a role in the spelling of the protobuf versions. */
export function decodeRole(value: unknown, cursor: Cursor): Role {
  if (value === "user") return "ROLE_USER";
  if (value === "agent") return "ROLE_AGENT";
  if (typeof value === "number" || (typeof value === "string" && value.startsWith("ROLE_"))) {
    return parseRole(value, cursor);
  }
  return cursor.fail(`expected "user" or "agent", got ${describe(value)}`);
}

export function encodeRole(role: Role): string {
  return role === "ROLE_USER" ? "user" : "agent";
}

export function encodeMessage(message: Message, shape: Shape): JsonObject {
  return compact({
    kind: "message",
    messageId: message.messageId,
    role: encodeRole(message.role),
    parts: message.parts.map((part) => encodePart(part, shape)),
    contextId: message.contextId,
    taskId: message.taskId,
    referenceTaskIds: message.referenceTaskIds,
    extensions: message.extensions,
    metadata: message.metadata,
  });
}
