import fc from "fast-check";
import { describe, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { checkStore, compareWithModel } from "../../src/testing/index.js";
import { storeOperations } from "./store-operations.js";
import { rounds } from "../support/rounds.js";

describe("the memory store holds the contract of stores", () => {
  for (const { name, run, skipped } of checkStore(() => createMemoryStore())) {
    test(name, { skip: skipped !== undefined }, run);
  }
});

test("the memory store answers whatever is done to it as the model does", async () => {
  await fc.assert(
    fc.asyncProperty(storeOperations, async (operations) => {
      await compareWithModel(createMemoryStore(), operations);
    }),
    { numRuns: rounds(500) },
  );
});
