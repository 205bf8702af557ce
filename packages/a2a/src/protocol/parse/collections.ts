import { describe } from "./cursor.js";
import type { Cursor, Parser } from "./cursor.js";
import { checkName } from "./json.js";
import { members } from "./object.js";

/** Parses every element of an array. Returns the given array when none of them changed. */
/* @__NO_SIDE_EFFECTS__ */
export function array<T>(element: Parser<T>): Parser<readonly T[]> {
  return (value, cursor) => {
    if (!Array.isArray(value)) return cursor.fail(`expected an array, got ${describe(value)}`);
    const source: readonly unknown[] = value;
    let copy: T[] | undefined;
    for (let index = 0; index < source.length; index += 1) {
      cursor.path.push(index);
      const parsed = element(source[index], cursor);
      cursor.path.pop();
      if (copy === undefined && parsed !== source[index]) {
        copy = source.slice(0, index) as T[];
      }
      copy?.push(parsed);
    }
    return copy ?? (source as readonly T[]);
  };
}

/** The parts of a message or an artifact: at least one, at most the configured number. */
/* @__NO_SIDE_EFFECTS__ */
export function parts<T>(part: Parser<T>): Parser<readonly T[]> {
  const list = array(part);
  return (value, cursor) => {
    if (Array.isArray(value)) checkPartCount(value.length, cursor);
    return list(value, cursor);
  };
}

function checkPartCount(count: number, cursor: Cursor): void {
  if (count === 0) cursor.fail("expected at least one part, got none");
  const { maxParts } = cursor.limits;
  if (count > maxParts) cursor.fail(`expected at most ${maxParts} parts, got ${count}`);
}

/** Parses every value of an object used as a map. Returns the given object when none of them changed. */
/* @__NO_SIDE_EFFECTS__ */
export function map<T>(element: Parser<T>): Parser<Readonly<Record<string, T>>> {
  return (value, cursor) => {
    const source = members(value, cursor);
    const entries: [string, T][] = [];
    let isChanged = false;
    for (const name of Object.keys(source)) {
      checkName(name, cursor);
      const parsed = cursor.enter(name, source[name], element);
      entries.push([name, parsed]);
      isChanged ||= parsed !== source[name];
    }
    return isChanged ? Object.fromEntries(entries) : (source as Readonly<Record<string, T>>);
  };
}
