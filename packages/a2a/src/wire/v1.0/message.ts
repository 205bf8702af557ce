import type { Message } from "../../protocol/internal.js";
import { messageOf } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { completeMessage, forPeers } from "../members/missing-members.js";
import { decodeRole } from "../members/role.js";
import { decodePart } from "./part.js";

export const decodeMessage: Parser<Message> = forPeers(
  messageOf(decodePart, decodeRole),
  completeMessage,
);
