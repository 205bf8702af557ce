import { openCluster } from "./open-cluster.js";
import type { Coverage } from "./world/coverage.js";
import { Choices } from "./engine/choices.js";
import type { ChoiceList } from "./engine/choices.js";
import { Faults, faultNames } from "./engine/faults.js";
import { guardPlatform } from "./engine/guard-platform.js";
import { watchRejections } from "./engine/watch-rejections.js";
import { playWave } from "./play-wave.js";
import type { Found } from "./invariants/found.js";
import type { SeedOptions } from "./seed-options.js";
import { World } from "./world/world.js";

/** What a run has shown. */
export interface SeedResult {
  readonly seed: number;
  /** What must not be. */
  readonly violations: readonly Found[];
  readonly steps: number;
  readonly simulatedMs: number;
  readonly statements: number;
  readonly messages: number;
  /** The same for every run of the same seed. */
  readonly hash: string;
  readonly trace: readonly string[];
  /** The choices that were not tame. */
  readonly choices: () => ChoiceList;
  readonly coverage: Coverage;
  readonly operations: Coverage;
}

/** How many callers there are at a time, and how many that do little. What they have shown is checked and forgotten before the next ones come. */
const waveSizes = { usual: 1000, light: 10_000 };

/** Runs one seed from its start to its end, and checks what it has shown. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const { seed, keepsTrace = false } = options;
  const choices = new Choices(seed, options.choices);
  const faults = new Faults(choices, options.faults ?? faultNames);
  const world = new World({ seed, choices, faults, keepsTrace });
  const { scheduler, coverage, trace } = world;
  const rejections = watchRejections();
  const release = guardPlatform(() => scheduler.isInStep);
  try {
    const violations = await play(world, options);
    for (const stack of await rejections()) world.problem(`nobody handles a rejection: ${stack}`);
    for (const message of world.problems) violations.push({ invariant: "problem", message });
    return {
      seed,
      violations,
      steps: scheduler.count,
      simulatedMs: world.nowMs,
      statements: world.statements,
      messages: world.messages,
      hash: trace.hash,
      trace: trace.lines,
      choices: () => choices.made,
      coverage,
      operations: world.operations,
    };
  } finally {
    release();
    await rejections();
  }
}

/** Lets everything happen, and checks it. */
async function play(world: World, options: SeedOptions): Promise<Found[]> {
  const cluster = openCluster(world, options);
  const numbers = options.jobs ?? Array.from({ length: options.tasks }, (_, index) => index);
  const { isLight = false, onWave } = options;
  const size = options.waveSize ?? (isLight ? waveSizes.light : waveSizes.usual);
  const found: Found[] = [];
  for (let from = 0; from === 0 || from < numbers.length; from += size) {
    if (from > 0) await cluster.forget();
    const wave = { numbers: numbers.slice(from, from + size), isLight };
    for (const one of await playWave(world, cluster, wave)) found.push(one);
    const { nowMs: simulatedMs, statements, messages } = world;
    onWave?.({ tasks: from + wave.numbers.length, simulatedMs, statements, messages });
  }
  for (const node of cluster.nodes) node.stop(false);
  await world.scheduler.run(world.scheduler.now + 8_000_000);
  return found;
}
