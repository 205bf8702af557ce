import type { Batch, Call } from "./operations.js";

/** How many operations, and roughly how many bytes, share a commit at most: those behind them should not wait long. */
export const maxOperations = 256;
export const maxBytes: number = 1024 * 1024;

/** Takes as many of the batches that wait as may share a commit, but at least the first, and joins them. */
export function takeGroup(waiting: Batch[]): Batch {
  let count = 0;
  let operations = 0;
  let bytes = 0;
  for (const batch of waiting) {
    operations += batch.reads.length + batch.writes.length;
    bytes += batch.bytes;
    if (count > 0 && (operations > maxOperations || bytes > maxBytes)) break;
    count += 1;
  }
  const group = waiting.splice(0, count);
  const [first] = group;
  if (first !== undefined && count === 1) return first;
  const reads: Call[] = [];
  const writes: Call[] = [];
  for (const batch of group) {
    reads.push(...batch.reads);
    writes.push(...batch.writes);
  }
  const { now } = group.at(-1) ?? {};
  return { reads, writes, bytes, ...(now !== undefined && { now }) };
}
