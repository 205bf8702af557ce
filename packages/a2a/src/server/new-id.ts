/**
 * A new UUID of version 7: 48 bits of time, then 74 bits from the cryptographic random source. Ids made
 * one after the other sort next to each other, which keeps the store's indexes compact.
 */
export function newId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  // A random UUID has as many random bits after its version as one with a time.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
