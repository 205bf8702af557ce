import type { JsonObject, Message } from "../../protocol/internal.js";
import {
  array,
  identifier,
  identifierOrEmpty,
  implicit,
  jsonObject,
  object,
  optional,
  parts,
  required,
  string,
} from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { earlierMessageOf } from "../members/earlier-message.js";
import { decodeRole } from "../members/role.js";
import { decodePart, encodePart } from "./part.js";

const messageMembers = object<Message>({
  messageId: required(identifier),
  role: required(decodeRole),
  parts: required(parts(decodePart), { from: "content", aliases: ["parts"] }),
  contextId: implicit(identifierOrEmpty),
  taskId: implicit(identifierOrEmpty),
  referenceTaskIds: implicit(array(identifier)),
  extensions: implicit(array(string)),
  metadata: optional(jsonObject),
});

export const decodeMessage: Parser<Message> = earlierMessageOf(messageMembers);

/** Drops `referenceTaskIds`, for which this protobuf has no field. */
export function encodeMessage(message: Message): JsonObject {
  return compact({
    messageId: message.messageId,
    contextId: message.contextId,
    taskId: message.taskId,
    role: message.role,
    content: message.parts.map(encodePart),
    metadata: message.metadata,
    extensions: message.extensions,
  });
}
