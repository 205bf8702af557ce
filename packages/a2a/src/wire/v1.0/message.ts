import type { Message, Role } from "../../protocol/internal.js";
import { messageOf, parseRole } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { completeMessage, forPeers } from "../members/missing-members.js";
import { decodePart } from "./part.js";

export const decodeMessage: Parser<Message> = forPeers(
  messageOf(decodePart, decodeRole),
  completeMessage,
);

/** Accepts a role in the spelling of earlier versions from peers; tells callers how 1.0 spells it. */
function decodeRole(value: unknown, cursor: Cursor): Role {
  if (value !== "agent" && value !== "user") return parseRole(value, cursor);
  const role = value === "agent" ? "ROLE_AGENT" : "ROLE_USER";
  return cursor.isPeer ? role : cursor.fail(`expected ${role}, got "${value}"`);
}
