import type { Clock } from "../async/internal.js";

/**
 * A new id: a UUID of version 7. It begins with the time, so ids that are created one after the other sort next
 * to each other, which keeps the store's indexes compact. The 74 bits after the time are random, so that nobody
 * can guess an id.
 *
 * The platform's `randomUUID` returns a chain of 20 strings, and flattening it costs more than creating it.
 */
export function newId(now: number): string {
  if (now !== latest.time) latest = { time: now, prefix: prefixOf(now) };
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  const one = random[used]!;
  const two = random[used + 1]!;
  const three = random[used + 2]!;
  used += 3;
  const variant = "89ab"[one >>> 30]!;
  return `${latest.prefix}${digits(one)}-${variant}${digits(one >>> 12)}-${digits(two)}${digits(two >>> 12)}${digits(three)}${digits(three >>> 12)}`;
}

/** Makes new ids as of now. */
export function createIdMaker(clock: Pick<Clock, "now">): () => string {
  return () => newId(clock.now());
}

/** Formatting the time is the slowest part, and many ids are created within one millisecond. */
let latest = { time: Number.NaN, prefix: "" };

/** Random numbers for 1,024 ids, fetched in one call, which costs as much as many ids. */
const random = new Uint32Array(3 * 1024);
let used = random.length;

const threeDigits = Array.from({ length: 4096 }, (_, value) => value.toString(16).padStart(3, "0"));

/** The last twelve bits of a number, as three digits. */
function digits(value: number): string {
  return threeDigits[value & 0xfff]!;
}

function prefixOf(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}

/** When an id of this form was made; `undefined` for others, those that callers chose among them. */
export function createdAtOf(key: string): number | undefined {
  const [, high, low] =
    /^([\da-f]{8})-([\da-f]{4})-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u.exec(key) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}
