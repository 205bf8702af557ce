import type { Message, Role } from "../../protocol/internal.js";
import { messageOf, parseRole } from "../../protocol/parse/internal.js";
import type { Cursor, Parser } from "../../protocol/parse/internal.js";
import { completeMessage, forPeers } from "../members/missing-members.js";
import { decodePart } from "./part.js";

export const decodeMessage: Parser<Message> = forPeers(
  messageOf(decodePart, decodeRole),
  completeMessage,
);

/** Accepts a role in the spelling of earlier versions from peers, but not from callers. */
function decodeRole(value: unknown, cursor: Cursor): Role {
  if (cursor.isPeer && value === "agent") return "ROLE_AGENT";
  if (cursor.isPeer && value === "user") return "ROLE_USER";
  return parseRole(value, cursor);
}
