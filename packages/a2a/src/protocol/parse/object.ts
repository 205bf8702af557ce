import type { JsonObject, JsonValue } from "../json.js";
import { describe } from "./cursor.js";
import type { Cursor, Parser } from "./cursor.js";

/** The members of a JSON object, not parsed yet. */
export type Members = Readonly<Record<string, unknown>>;

type Presence = "required" | "optional" | "implicit" | "nullable";

/** How to parse one member of an object. */
export interface Field<T> {
  readonly parse: Parser<T>;
  readonly presence: Presence;
  /** The member's name on the wire, where it is not the model's. */
  readonly from?: string;
  /** Other names that count when the member is absent under its own name. */
  readonly aliases?: readonly string[];
}

type FieldOptions = Pick<Field<unknown>, "from" | "aliases">;

/** A member that must be present; `null` counts as absent. */
/* @__NO_SIDE_EFFECTS__ */
export function required<T>(parse: Parser<T>, options: FieldOptions = {}): Field<T> {
  return { parse, presence: "required", ...options };
}

/** A member that may be absent. Every value that is set is kept. */
/* @__NO_SIDE_EFFECTS__ */
export function optional<T>(parse: Parser<T>, options: FieldOptions = {}): Field<T> {
  return { parse, presence: "optional", ...options };
}

/** A member whose default (`""`, `0`, `false`, `[]`) means the same as absence, as in protobuf. */
/* @__NO_SIDE_EFFECTS__ */
export function implicit<T>(parse: Parser<T>, options: FieldOptions = {}): Field<T> {
  return { parse, presence: "implicit", ...options };
}

/** A member for which `null` is a value. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<T>(parse: Parser<T>, options: FieldOptions = {}): Field<T> {
  return { parse, presence: "nullable", ...options };
}

export type Fields<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

interface Plan {
  readonly name: string;
  readonly wireName: string;
  readonly parse: Parser<unknown>;
  readonly presence: Presence;
}

/**
 * Parses an object of known members, each under its name, its snake_case name or an alias. Drops
 * unknown members. Returns the given object when every member is already in the model's form.
 */
/* @__NO_SIDE_EFFECTS__ */
export function object<T extends object>(fields: Fields<T>): Parser<T> {
  const { byKey, mandatory } = plan(fields as Fields<Record<string, unknown>>);
  return (value, cursor) => {
    const source = members(value, cursor);
    let copy: Record<string, unknown> | undefined;
    let found = 0;
    for (const key in source) {
      const field = byKey.get(key);
      const raw = source[key];
      if (field === undefined || isShadowed(source, key, field) || isAbsent(raw, field)) {
        copy ??= copyUpTo(source, key);
        continue;
      }
      if (copy !== undefined && Object.hasOwn(copy, field.name)) continue;
      cursor.path.push(key);
      const parsed = field.parse(raw, cursor);
      cursor.path.pop();
      if (field.presence === "required") found += 1;
      else if (field.presence === "implicit" && isDefault(parsed)) {
        copy ??= copyUpTo(source, key);
        continue;
      }
      if (copy === undefined && (parsed !== raw || key !== field.name)) {
        copy = copyUpTo(source, key);
      }
      if (copy !== undefined) copy[field.name] = parsed;
    }
    if (found < mandatory.length) failMissing(source, { byKey, mandatory, cursor });
    return (copy ?? source) as T;
  };
}

/** The members of a JSON object. Refuses everything else. */
export function members(value: unknown, cursor: Cursor): Members {
  return isJsonObject(value) ? value : cursor.fail(`expected an object, got ${describe(value)}`);
}

/** True for an object that is no array. Of a value that is not known to be JSON, the members stay unknown. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject;
export function isJsonObject(value: unknown): value is Members;
export function isJsonObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses an object that has exactly one of the named members: a protobuf oneof. */
/* @__NO_SIDE_EFFECTS__ */
export function exactlyOne<T extends object>(
  parse: Parser<object>,
  names: readonly string[],
): Parser<T> {
  return (value, cursor) => {
    const parsed = parse(value, cursor);
    let count = 0;
    for (const name of names) if (name in parsed) count += 1;
    if (count !== 1) {
      cursor.fail(`exactly one of ${names.join(", ")} is required, got ${count}`);
    }
    return parsed as T;
  };
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function plan(fields: Fields<Record<string, unknown>>): {
  byKey: ReadonlyMap<string, Plan>;
  mandatory: readonly Plan[];
} {
  const byKey = new Map<string, Plan>();
  const mandatory: Plan[] = [];
  for (const [name, { parse, presence, from, aliases = [] }] of Object.entries(fields)) {
    const wireName = from ?? name;
    const entry: Plan = { name, wireName, parse, presence };
    for (const key of [wireName, snakeCase(wireName), ...aliases]) byKey.set(key, entry);
    if (presence === "required") mandatory.push(entry);
  }
  return { byKey, mandatory };
}

/** An alias counts only while the member's own name is absent. */
function isShadowed(source: Members, key: string, field: Plan): boolean {
  return key !== field.wireName && (source[field.wireName] ?? null) !== null;
}

function isAbsent(raw: unknown, field: Plan): boolean {
  return raw === undefined || (raw === null && field.presence !== "nullable");
}

function isDefault(value: unknown): boolean {
  return (
    value === "" || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
  );
}

function copyUpTo(source: Members, end: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in source) {
    if (key === end) break;
    copy[key] = source[key];
  }
  return copy;
}

function failMissing(
  source: Members,
  { byKey, mandatory, cursor }: ReturnType<typeof plan> & { cursor: Cursor },
): never {
  const present = new Set(
    Object.keys(source)
      .filter((key) => (source[key] ?? null) !== null)
      .map((key) => byKey.get(key)?.name),
  );
  const missing = mandatory.find((field) => !present.has(field.name));
  return cursor.fail("this member is required", missing?.wireName ?? "");
}
