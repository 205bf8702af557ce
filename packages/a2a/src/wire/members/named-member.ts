import { snakeCase } from "../../protocol/parse/internal.js";
import type { Members } from "../../protocol/parse/internal.js";

/** True when the member is present; `null` counts as absent. */
export function hasMember(members: Members, name: string): boolean {
  return (members[name] ?? null) !== null;
}

/** The value under the name or its snake_case form; `null` when it is absent under both. */
export function memberNamed(members: Members, name: string): unknown {
  return members[name] ?? members[snakeCase(name)] ?? null;
}

/** True for a string of nothing but white space. */
export function isBlank(value: unknown): boolean {
  return typeof value === "string" && value.trim() === "";
}
