import { expect, it } from "vitest";
import { batchesOf, fromBatches } from "./batches.js";
import type { Batches } from "./batches.js";

async function* batched(left: () => void = () => undefined): Batches<number> {
  try {
    yield [1, 2];
    yield [];
    yield [3];
  } finally {
    left();
  }
}

async function read<T>(values: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

it("gives the values of batches one by one", async () => {
  expect(await read(fromBatches(batched()))).toEqual([1, 2, 3]);
});

it("gives the same batches to a layer that knows of them, however often they were passed on", async () => {
  const passedOn = fromBatches(batchesOf(fromBatches(batched())));
  expect(await read(batchesOf(passedOn))).toEqual([[1, 2], [], [3]]);
});

it("makes batches of one of values that come one by one", async () => {
  async function* values(): AsyncGenerator<number, void, void> {
    yield* [1, 2];
  }
  expect(await read(batchesOf(values()))).toEqual([[1], [2]]);
});

it("ends the batches when a reader of values leaves in the middle of one", async () => {
  let hasLeft = false;
  for await (const _ of fromBatches(batched(() => (hasLeft = true)))) break;
  expect(hasLeft).toBe(true);
});
