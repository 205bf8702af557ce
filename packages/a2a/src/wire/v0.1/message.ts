import type { JsonObject, Message } from "../../protocol/internal.js";
import { isJsonObject, messageOf } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { earlierMessageOf } from "../members/earlier-message.js";
import { withMessageId } from "../members/missing-members.js";
import { decodeRole, encodeRole } from "../members/role.js";
import { decodePart, encodePart } from "./part.js";

const parse = earlierMessageOf(messageOf(decodePart, decodeRole));

/** Messages of 0.1 have no id; each is given a new one. */
export const decodeMessage: Parser<Message> = (value, cursor) =>
  parse(isJsonObject(value) ? withMessageId(value, cursor) : value, cursor);

/** A message of 0.1 has a role, parts and metadata only. */
export function encodeMessage(message: Message): JsonObject {
  return compact({
    role: encodeRole(message.role),
    parts: message.parts.map(encodePart),
    metadata: message.metadata,
  });
}
