import type { Role } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";

const roles: readonly Role[] = ["ROLE_USER", "ROLE_AGENT"];

/** Decodes a role in any spelling that a version uses: `user`, `ROLE_USER`, or the number of ProtoJSON. */
export function decodeRole(value: unknown, cursor: Cursor): Role {
  return readRole(value) ?? cursor.fail(`expected ${roles.join(" or ")}, got ${describe(value)}`);
}

/** The role in any spelling; `undefined` for a value that is no role. */
export function readRole(value: unknown): Role | undefined {
  return roles.find(
    (role, index) => value === role || value === encodeRole(role) || value === index + 1,
  );
}

/** The spelling of the JSON schemas: `user` or `agent`. */
export function encodeRole(role: Role): string {
  return role.slice("ROLE_".length).toLowerCase();
}
