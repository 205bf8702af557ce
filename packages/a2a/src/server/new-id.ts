/**
 * A new UUID of version 7: 48 bits of time, then 74 bits from the cryptographic random source. Ids made
 * one after the other sort next to each other, which keeps the store's indexes compact.
 */
export function newId(now: number): string {
  if (now !== latest.time) latest = { time: now, prefix: prefixOf(now) };
  // The platform's own UUIDs are random all over, and fast; only their first digits are replaced.
  return `${latest.prefix}${crypto.randomUUID().slice(15)}`;
}

/** Many ids are made within a millisecond, and to write the time takes longer than all else. */
let latest = { time: Number.NaN, prefix: "" };

function prefixOf(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7`;
}
