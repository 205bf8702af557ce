import { expect, test } from "vitest";
import { maxBytes, maxOperations, takeGroup } from "./group-batches.js";
import type { Batch } from "./operations.js";

const call = (name: string) => ({ name, request: undefined });

function batch(names: string, bytes = 1): Batch {
  return { reads: [call(`read ${names}`)], writes: Array.from(names, call), bytes };
}

test("all that waits shares a commit, in the order in which it came, at the latest time", () => {
  const waiting = [batch("ab"), { ...batch("c"), now: 7 }];
  expect(takeGroup(waiting)).toEqual({
    reads: [call("read ab"), call("read c")],
    writes: [call("a"), call("b"), call("c")],
    bytes: 2,
    now: 7,
  });
  expect(waiting).toEqual([]);
});

test("no more operations and bytes than may be share a commit, but one batch whatever its size", () => {
  const many = batch("x".repeat(maxOperations));
  const waiting = [batch("a"), many, batch("b"), batch("c", maxBytes)];
  const taken = [];
  while (waiting.length > 0) taken.push(takeGroup(waiting).writes.length);
  expect(taken).toEqual([1, maxOperations, 1, 1]);
});
