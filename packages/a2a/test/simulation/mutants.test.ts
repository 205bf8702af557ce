import { simulate } from "@parley/a2a/testing";
import type { FaultName, SimulationReport } from "@parley/a2a/testing";
import { describe, expect, test } from "vitest";
import { openMutatedCopy } from "./mutated-copy.js";
import { runtimeMutants } from "./runtime-mutants.js";
import type { Change, RuntimeMutant } from "./runtime-mutants.js";
import { storeMutants } from "./store-mutants.js";

/**
 * Within how many seeds each mutant is caught; 20 where nothing is said. Fencing matters only where a node writes after it
 * has lost its task, which the runtime itself avoids: late requests show it, and so do pauses after which two nodes work.
 */
const seedsOf: Readonly<Record<string, number>> = {
  "no epoch check": 100,
  "a claim that keeps the epoch": 60,
};
const faultsOf: Readonly<Record<string, readonly FaultName[]>> = {
  "no epoch check": ["late", "pause", "slow"],
  "a claim that keeps the epoch": ["late", "pause", "slow", "lost"],
  "abandoned tasks for everybody": ["pause"],
};

describe("a store", () => {
  test.each(Object.entries(storeMutants))("with %s is caught", async (name, wrapStore) => {
    const { failures } = await simulate({
      seeds: seedsOf[name] ?? 20,
      wrapStore,
      shrinks: false,
      ...(faultsOf[name] !== undefined && { faults: faultsOf[name] }),
    });
    expect(failures).toHaveLength(1);
  });
});

/** Simulates a copy of the library with some changes, until a seed fails. */
async function simulateCopy(
  changes: readonly Change[],
  { seeds = 20, isBusSilent = false, faults }: RuntimeMutant,
): Promise<SimulationReport> {
  using copy = await openMutatedCopy(changes);
  return await copy.simulate({ seeds, shrinks: false, isBusSilent, ...(faults && { faults }) });
}

describe("a runtime in which", () => {
  test.each(Object.entries(runtimeMutants))("%s is caught", async (_, mutant) => {
    const { given = [], changes } = mutant;
    expect((await simulateCopy([...given, ...changes], mutant)).failures).toHaveLength(1);
    if (given.length === 0) return;
    // What was changed besides is not what was caught.
    expect((await simulateCopy(given, mutant)).failures).toEqual([]);
  });
});

test("a failure is made smaller and says what led to it", async () => {
  const wrapStore = storeMutants["no sequence check"];
  if (wrapStore === undefined) throw new Error("there is no such mutant");
  const { failures } = await simulate({ seeds: 20, wrapStore });
  const [failure] = failures;
  expect(failure?.violations.length).toBeGreaterThan(0);
  expect(failure?.trace?.length).toBeGreaterThan(0);
  expect(failure?.choices?.length).toBeGreaterThan(0);
  expect(failure?.choices?.length).toBeLessThan(100);
});
