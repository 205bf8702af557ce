/**
 * A new id: a UUID of version 7, which begins with the time it was made at. Ids that are made one after the
 * other sort next to each other, which keeps the store's indexes compact. The 74 bits behind the time are
 * random, so that nobody guesses an id.
 *
 * Put together here because the platform's own UUIDs are chains of 20 strings, which cost more to take apart
 * than to make.
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

/** Many ids are made within a millisecond, and to write the time takes longer than all else. */
let latest = { time: Number.NaN, prefix: "" };

/** Randomness is fetched for many ids at once. */
const random = new Uint32Array(3 * 128);
let used = random.length;

const threeDigits = Array.from({ length: 4096 }, (_, value) => value.toString(16).padStart(3, "0"));

/** The last twelve bits of a number. */
function digits(value: number): string {
  return threeDigits[value & 0xfff]!;
}

function prefixOf(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}
