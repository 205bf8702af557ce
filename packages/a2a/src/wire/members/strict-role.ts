import type { Message } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { readRole } from "./role.js";

/** Parses a caller's message. A strict reader accepts roles only as the caller's version spells them. */
/* @__NO_SIDE_EFFECTS__ */
export function withOwnRoles(
  spelling: "schema" | "proto",
  parse: Parser<Message>,
): Parser<Message> {
  const [isOwn, expected] =
    spelling === "schema"
      ? [/^[a-z]/, '"user" or "agent"']
      : [/^[^a-z]/, "ROLE_USER or ROLE_AGENT"];
  return (value, cursor) => {
    if (cursor.isStrict && isJsonObject(value)) {
      const { role } = value;
      if (readRole(role) !== undefined && !isOwn.test(String(role))) {
        cursor.fail(`expected ${expected}, got ${JSON.stringify(role)}`, "role");
      }
    }
    return parse(value, cursor);
  };
}
