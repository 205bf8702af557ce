import type { Message } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { completeMessage, forPeers, withDefaults, withMessageId } from "./missing-members.js";

/** Reads messages of versions before 1.0, whose senders, callers and peers alike, often leave out id and role. */
/* @__NO_SIDE_EFFECTS__ */
export function earlierMessageOf(parse: Parser<Message>): Parser<Message> {
  const forAgents = forPeers(parse, completeMessage);
  return (value, cursor) =>
    cursor.isPeer || cursor.isStrict || !isJsonObject(value)
      ? forAgents(value, cursor)
      : parse(withDefaults(withMessageId(value, cursor), { role: "ROLE_USER" }), cursor);
}
