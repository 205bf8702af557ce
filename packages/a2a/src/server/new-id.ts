/**
 * A new UUID of version 7: 48 bits of time, then 74 bits from the cryptographic random source. Ids made
 * one after the other sort next to each other, which keeps the store's indexes compact.
 */
export function newId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  // The platform's own UUIDs are random all over, and fast; only their first digits are replaced.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
