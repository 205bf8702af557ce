import { Coverage } from "./world/coverage.js";
import { hashText, mix } from "./engine/choices.js";
import { faultNames } from "./engine/faults.js";
import type { FaultName } from "./engine/faults.js";
import type { Found } from "./invariants/found.js";
import { runSeed } from "./run-seed.js";
import type { SeedResult } from "./run-seed.js";
import type { SeedOptions } from "./seed-options.js";
import { shrinkFailure } from "./shrink.js";

/** What to simulate. */
export interface SimulationOptions extends Partial<
  Pick<
    SeedOptions,
    "nodes" | "tasks" | "wrapStore" | "openRuntime" | "isBusSilent" | "isLight" | "onWave"
  >
> {
  /** How many seeds. Default: 100. */
  readonly seeds?: number;
  /** The first seed; the others follow it. Default: 1. */
  readonly seed?: number;
  /** The faults that may happen; each seed draws some of them. Default: all. */
  readonly faults?: readonly FaultName[];
  /** Stops after so many failing seeds. Default: 1. */
  readonly maxFailures?: number;
  /** Whether the first failure is made smaller. Default: true. */
  readonly shrinks?: boolean;
  /** Told after each seed. */
  readonly onSeed?: (progress: SimulationProgress) => void;
}

/** How far a simulation is. */
export interface SimulationProgress {
  readonly seed: number;
  readonly done: number;
  readonly steps: number;
  readonly failures: number;
}

/** Something that must not be. */
export type SimulationFinding = Found;

/** A seed that shows something that must not be. */
export interface SimulationFailure {
  readonly seed: number;
  /** What was found, each with the name of the invariant. */
  readonly violations: readonly SimulationFinding[];
  /** The choices that lead there: all others are tame. Present where the failure was made smaller. */
  readonly choices?: readonly string[];
  /** What happened at the ports, in order, in the smaller run. */
  readonly trace?: readonly string[];
}

/** What a simulation has shown. */
export interface SimulationReport {
  readonly seeds: number;
  readonly steps: number;
  readonly simulatedMs: number;
  /** Requests that reached the store. */
  readonly statements: number;
  /** Wake-ups and topics that were published. */
  readonly messages: number;
  /** The same for every run of the same seeds with the same options, in other processes too. */
  readonly hash: string;
  readonly failures: readonly SimulationFailure[];
  /** How often each fault struck a task in each state. */
  readonly coverage: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How often each operation met a task in each state; `delete` is what retention does. */
  readonly operations: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Each seed of so many is run twice, and has to be the same both times. */
const doubledEvery = 50;

/**
 * Runs the real runtime on several nodes in this process, over a simulated clock, store, bus and network, with callers
 * that do all kinds of things, while nodes crash, pause and restart and answers are lost. Everything is drawn from the
 * seed, so that a seed always gives the same run. Afterwards it checks what callers saw against what the store holds.
 *
 * @example
 * const { failures } = await simulate({ seeds: 1000 });
 * expect(failures).toEqual([]);
 */
export async function simulate(options: SimulationOptions = {}): Promise<SimulationReport> {
  const { seeds = 100, seed: first = 1, maxFailures = 1, shrinks = true } = options;
  checkFaults(options.faults);
  const { nodes = 3, tasks = 6, faults, onSeed, onWave } = options;
  const { wrapStore, openRuntime, isBusSilent = false, isLight = false } = options;
  const coverage = new Coverage();
  const operations = new Coverage();
  const failures: SimulationFailure[] = [];
  const sums = { steps: 0, simulatedMs: 0, statements: 0, messages: 0 };
  let hash = 0;
  let done = 0;
  for (let seed = first; seed < first + seeds && failures.length < maxFailures; seed += 1) {
    const seedOptions: SeedOptions = {
      seed,
      nodes,
      tasks,
      isBusSilent,
      isLight,
      ...(faults !== undefined && { faults }),
      ...(wrapStore !== undefined && { wrapStore }),
      ...(openRuntime !== undefined && { openRuntime }),
    };
    const result = await runSeed({ ...seedOptions, ...(onWave !== undefined && { onWave }) });
    done += 1;
    sums.steps += result.steps;
    sums.simulatedMs += result.simulatedMs;
    sums.statements += result.statements;
    sums.messages += result.messages;
    hash = mix(hash, hashText(result.hash));
    coverage.merge(result.coverage);
    operations.merge(result.operations);
    const isDoubled = seed % doubledEvery === 0;
    const difference = isDoubled ? await findDifference(seedOptions, result) : undefined;
    if (difference !== undefined) failures.push(difference);
    else if (result.violations.length > 0) {
      const isFirst = failures.length === 0;
      failures.push(await describeFailure(seedOptions, result, { shrinks: shrinks && isFirst }));
    }
    onSeed?.({ seed, done, steps: sums.steps, failures: failures.length });
  }
  return {
    seeds: done,
    ...sums,
    hash: hash.toString(16),
    failures,
    coverage: coverage.table(),
    operations: operations.table(),
  };
}

async function describeFailure(
  options: SeedOptions,
  result: SeedResult,
  { shrinks }: { readonly shrinks: boolean },
): Promise<SimulationFailure> {
  const { seed, violations } = result;
  if (!shrinks) return { seed, violations };
  const small = await shrinkFailure(options, result);
  const choices = Array.from(small.choices(), ([key, value]) => `${key}=${value}`);
  return { seed, violations: small.violations, choices, trace: small.trace };
}

/** Runs a seed again. The first line in which both runs differ is a failure. */
async function findDifference(
  options: SeedOptions,
  first: SeedResult,
): Promise<SimulationFailure | undefined> {
  const again = await runSeed(options);
  if (again.hash === first.hash) return undefined;
  const one = await runSeed({ ...options, keepsTrace: true });
  const other = await runSeed({ ...options, keepsTrace: true });
  const line = one.trace.findIndex((text, index) => text !== other.trace[index]);
  const message = `two runs differ at line ${line}: ${one.trace[line]} and ${other.trace[line]}`;
  return { seed: options.seed, violations: [{ invariant: "determinism", message }] };
}

function checkFaults(faults: readonly string[] = []): void {
  const known: readonly string[] = faultNames;
  for (const fault of faults) {
    if (known.includes(fault)) continue;
    throw new Error(`simulate(): there is no fault ${fault}; expected ${faultNames.join(", ")}`);
  }
}
