import type { ChoiceList } from "./engine/choices.js";
import { runSeed } from "./run-seed.js";
import type { SeedResult } from "./run-seed.js";
import type { SeedOptions } from "./seed-options.js";

/** How many runs a failure may take to shrink. */
const maxRuns = 400;

/**
 * Makes a failing run smaller as long as it fails in the same way: fewer callers, fewer choices that are not tame, lower
 * values of those. Returns the smallest run that was found, with its trace.
 */
export async function shrinkFailure(options: SeedOptions, failed: SeedResult): Promise<SeedResult> {
  const wanted = failed.violations[0]?.invariant;
  const choices = failed.choices();
  let best: SeedOptions = { ...options, choices };
  let runs = 0;
  const fails = async (candidate: SeedOptions): Promise<boolean> => {
    if (runs >= maxRuns) return false;
    runs += 1;
    const { violations } = await runSeed(candidate);
    return violations.some(({ invariant }) => invariant === wanted);
  };
  /** Leaves out halves, then quarters, and at last single ones. */
  const reduce = async <T>(all: readonly T[], apply: (kept: readonly T[]) => SeedOptions) => {
    let kept = all;
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < kept.length;) {
        const fewer = kept.toSpliced(from, size);
        const candidate = apply(fewer);
        if (await fails(candidate)) {
          kept = fewer;
          best = candidate;
        } else from += size;
      }
    }
    return kept;
  };
  if (!(await fails(best))) return runSeed({ ...options, keepsTrace: true });
  const all = options.jobs ?? Array.from({ length: options.tasks }, (_, index) => index);
  await reduce(all, (jobs) => ({ ...best, jobs }));
  const keys = Array.from(new Set(Array.from(choices.keys(), keyOf)));
  const keptKeys = new Set(
    await reduce(keys, (kept) => ({ ...best, choices: ofKeys(choices, new Set(kept)) })),
  );
  const entries = Array.from(ofKeys(choices, keptKeys));
  const left = await reduce(entries, (kept) => ({ ...best, choices: new Map(kept) }));
  for (const [key, value] of left) {
    const lower = { ...best, choices: new Map(best.choices).set(key, 1) };
    if (value > 1 && (await fails(lower))) best = lower;
  }
  return runSeed({ ...best, keepsTrace: true });
}

function keyOf(choice: string): string {
  return choice.slice(0, choice.lastIndexOf("#"));
}

function ofKeys(choices: ChoiceList, keys: ReadonlySet<string>): ChoiceList {
  return new Map(Array.from(choices).filter(([choice]) => keys.has(keyOf(choice))));
}
