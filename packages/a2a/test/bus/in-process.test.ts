import { describe, test } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import { checkBus } from "../../src/testing/index.js";

describe("the in-process bus holds the contract of buses", () => {
  for (const { name, run, skipped } of checkBus(() => createInProcessBus())) {
    test(name, { skip: skipped !== undefined }, run);
  }
});
