import type { JsonObject, Message } from "../../protocol/internal.js";
import { messageOf } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { earlierMessageOf } from "../members/earlier-message.js";
import { decodeRole, encodeRole } from "../members/role.js";
import { decodePart, encodePart } from "./part.js";
import type { Shape } from "./shape.js";

/** Senders of these versions often leave out a message's id and role. */
export const decodeMessage: Parser<Message> = earlierMessageOf(messageOf(decodePart, decodeRole));

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
