import { describe, test } from "vitest";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { checkStore } from "../../src/testing/index.js";

describe("the memory store holds the contract of stores", () => {
  for (const { name, run, skipped } of checkStore(async () => createMemoryStore())) {
    test(name, { skip: skipped !== undefined }, run);
  }
});
