import { parseUrl } from "./parse-url.js";
import { describe } from "./cursor.js";
import type { Cursor, Parser } from "./cursor.js";

/** A string of well-formed Unicode, of at most so many UTF-16 units. Refuses a lone surrogate, which has no UTF-8 form. */
export function string(value: unknown, cursor: Cursor, max: number = Infinity): string {
  if (typeof value !== "string") cursor.fail(`expected a string, got ${describe(value)}`);
  if (value.length > max) cursor.fail(`expected at most ${max} characters, got ${value.length}`);
  if (!value.isWellFormed()) cursor.fail("expected well-formed Unicode, got a lone surrogate");
  return value;
}

/** A string that is not empty. */
export function text(value: unknown, cursor: Cursor): string {
  const parsed = string(value, cursor);
  if (parsed === "") cursor.fail("expected a non-empty string");
  return parsed;
}

/** A string that is short in every honest request: a name, a token, a header. */
export function shortString(value: unknown, cursor: Cursor): string {
  return string(value, cursor, cursor.maxFieldLength);
}

/** Anything but visible ASCII. Nearly all ids are made of that, and need no closer look. */
const unusualInId = /[^!-~]/;
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const unfitForId = /^\s*$|[\u0000-\u001f\u007f]/;

/** An id: not blank, no control characters, within the configured length. */
export function identifier(value: unknown, cursor: Cursor): string {
  const id = string(value, cursor, cursor.limits.maxIdLength);
  if ((id === "" || unusualInId.test(id)) && unfitForId.test(id)) {
    cursor.fail("expected an id that is not blank and has no control characters");
  }
  return id;
}

export function boolean(value: unknown, cursor: Cursor): boolean {
  if (typeof value !== "boolean") cursor.fail(`expected true or false, got ${describe(value)}`);
  return value;
}

const maxInt32 = 2_147_483_647;
const decimal = /^-?\d{1,10}(?:\.\d{1,10})?(?:e\+?\d)?$/i;

/** An int32 from `min` to `max`: a number or, as ProtoJSON allows, a string of one, such as `"5"` or `"1e2"`. */
/* @__NO_SIDE_EFFECTS__ */
export function integer(min: number = -maxInt32 - 1, max: number = maxInt32): Parser<number> {
  const expected =
    max === maxInt32
      ? min < 0
        ? "expected an integer"
        : `expected an integer of at least ${min}`
      : `expected an integer from ${min} to ${max}`;
  return (value, cursor) => {
    const number = typeof value === "string" && decimal.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isInteger(number)) {
      const found = typeof number === "number" ? String(number) : describe(value);
      return cursor.fail(`${expected}, got ${found}`);
    }
    if (number < min || number > max) cursor.fail(`${expected}, got ${number}`);
    return number;
  };
}

/** How many messages of history a caller wants: zero or more. */
export const historyLength: Parser<number> = integer(0);

/** The pattern repeats no group: each repetition takes a stack frame, too many in a file of some megabytes. */
const standardBase64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes as base64. Turns the URL-safe alphabet and missing padding into the standard form. */
export function base64(value: unknown, cursor: Cursor): string {
  const encoded = string(value, cursor);
  if (encoded.length % 4 === 0 && standardBase64.test(encoded)) return encoded;
  // By bytes: to replace every third character of some megabytes of text would take seconds.
  const bytes = new TextEncoder().encode(encoded);
  const standard = new TextDecoder().decode(
    bytes.map((byte) => (byte === 0x2d ? 0x2b : byte === 0x5f ? 0x2f : byte)),
  );
  const [digits = ""] = standard.split("=", 1);
  if (!standardBase64.test(standard) || digits.length % 4 === 1) cursor.fail("expected base64");
  return digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
}

/** An absolute URL, returned as it was written. */
export function url(value: unknown, cursor: Cursor): string {
  const parsed = shortString(value, cursor);
  if (parseUrl(parsed) === undefined) cursor.fail("expected an absolute URL");
  return parsed;
}

const dateTime =
  /^(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))[Tt ]((?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60))(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/;

/**
 * A moment in time, in UTC with `Z`. Keeps what is known of a second, to the nanosecond, in the fewest digits of
 * 0, 3, 6 or 9; a fraction has three or more (§5.6.1). A time without a zone is UTC: 0.x writes none.
 */
export function timestamp(value: unknown, cursor: Cursor): string {
  const written = string(value, cursor);
  const match = dateTime.exec(written);
  const [, date = "", time, fraction, zone = "Z"] = match ?? [];
  const moment = new Date(`${date}T${time}${zone.toUpperCase()}`);
  const year = moment.getUTCFullYear();
  if (match === null || !(year >= 0 && year <= 9999) || !isCalendarDay(date)) {
    cursor.fail("expected a timestamp such as 2026-01-02T03:04:05.678Z");
  }
  return `${moment.toISOString().slice(0, 19)}${fraction === undefined ? "" : shortest(fraction)}Z`;
}

/** A fraction such as `.5` in the fewest digits of 3, 6 or 9. */
function shortest(fraction: string): string {
  return fraction
    .slice(0, 10)
    .padEnd(10, "0")
    .replace(/(?:000){1,2}$/, "");
}

/** False for the 31st of February, which JavaScript takes for a day in March. */
function isCalendarDay(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number(date.slice(8));
}

/** One of the given strings, exactly. */
/* @__NO_SIDE_EFFECTS__ */
export function literal<const T extends string>(...allowed: readonly T[]): Parser<T> {
  const expected = allowed.map((one) => `"${one}"`).join(" or ");
  return (value, cursor) => {
    const found = allowed.find((one) => one === value);
    return found ?? cursor.fail(`expected ${expected}, got ${describe(value)}`);
  };
}
