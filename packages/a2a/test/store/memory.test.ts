import fc from "fast-check";
import { describe, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.js";
import type { Store } from "../../src/store/index.js";
import { checkStore, compareWithModel, createTestClock } from "../../src/testing/index.js";
import type { TestClock } from "../../src/testing/index.js";
import { storeOperations } from "./store-operations.js";
import { rounds } from "../support/rounds.js";

const clocks = new WeakMap<Store, TestClock>();

function create(): Store {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  clocks.set(store, clock);
  return store;
}

const advance = (store: Store, ms: number) => clocks.get(store)?.advance(ms);

describe("the memory store holds the contract of stores", () => {
  for (const { name, run, skipped } of checkStore(create, { advance })) {
    test(name, { skip: skipped !== undefined }, run);
  }
});

test("the memory store answers whatever is done to it as the model does", async () => {
  await fc.assert(
    fc.asyncProperty(storeOperations, async (operations) => {
      await compareWithModel(create(), operations, { advance });
    }),
    { numRuns: rounds(500) },
  );
});
