import type { Role } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";

const roles = new Map<unknown, Role>([
  ["ROLE_USER", "ROLE_USER"],
  ["user", "ROLE_USER"],
  [1, "ROLE_USER"],
  ["ROLE_AGENT", "ROLE_AGENT"],
  ["agent", "ROLE_AGENT"],
  [2, "ROLE_AGENT"],
]);

/**
 * Decodes a role in any spelling that a version uses: `user`, `ROLE_USER`, or the number of ProtoJSON. A strict reader
 * accepts only those of its version.
 */
/* @__NO_SIDE_EFFECTS__ */
export function roleIn(spelling: "schema" | "proto"): Parser<Role> {
  const isOwn = spelling === "schema" ? /^[a-z]/ : /^[^a-z]/;
  return (value, cursor) => {
    const role = readRole(value);
    if (role !== undefined && !(cursor.isStrict && !isOwn.test(String(value)))) return role;
    const expected = spelling === "schema" ? '"user" or "agent"' : "ROLE_USER or ROLE_AGENT";
    return cursor.fail(`expected ${expected}, got ${describe(value)}`);
  };
}

/** The role in any spelling; `undefined` for a value that is no role. */
export function readRole(value: unknown): Role | undefined {
  return roles.get(value);
}

/** The spelling of the JSON schemas: `user` or `agent`. */
export function encodeRole(role: Role): string {
  return role === "ROLE_USER" ? "user" : "agent";
}
