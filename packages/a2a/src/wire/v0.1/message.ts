import type { JsonObject, Message } from "../../protocol/internal.js";
import { messageOf } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { completeMessage, decodeRole, encodeRole } from "../v0.3/message.js";
import { decodePart, encodePart } from "./part.js";

const parse = messageOf(decodePart, decodeRole);

/** Messages of 0.1 have no id of their own; they are given one. */
export const decodeMessage: Parser<Message> = (value, cursor) =>
  parse(completeMessage(value, cursor), cursor);

/** 0.1 knows a message's sender, parts and metadata only. */
export function encodeMessage(message: Message): JsonObject {
  return compact({
    role: encodeRole(message.role),
    parts: message.parts.map(encodePart),
    metadata: message.metadata,
  });
}
