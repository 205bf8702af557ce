import process from "node:process";

export interface Contest {
  readonly name: string;
  /** The candidate is measured against the reference. Both do one unit of work in each call. */
  readonly reference: () => unknown;
  readonly candidate: () => unknown;
  /** The ratio the candidate must not exceed. */
  readonly bar: number;
}

const rounds = 31;
const roundMs = 20;

/**
 * Times both sides of each contest in alternation, so that a busy machine slows both, and prints the
 * median of the rounds' ratios. Returns whether every bar was met.
 */
export function compare(contests: readonly Contest[]): boolean {
  let allMet = true;
  for (const { name, reference, candidate, bar } of contests) {
    process.stderr.write(`${name} …\n`);
    const calls = calibrate(reference);
    measure(candidate, calls);
    const times = Array.from({ length: rounds }, () => {
      const [mine, theirs] = [measure(candidate, calls), measure(reference, calls)];
      return { mine, ratio: mine / theirs };
    });
    const ratio = median(times.map((time) => time.ratio));
    const microseconds = (median(times.map((time) => time.mine)) * 1000) / calls;
    const verdict = ratio <= bar ? "met" : "MISSED";
    allMet &&= ratio <= bar;
    process.stdout.write(
      `${name}: ${ratio.toFixed(2)}× the reference (bar ${bar}×, ${verdict}), ${microseconds.toFixed(2)} µs\n`,
    );
  }
  return allMet;
}

/** Returns how many calls fill a round, and warms the reference up. */
function calibrate(work: () => unknown): number {
  let calls = 1000;
  while (measure(work, calls) < roundMs) calls *= 2;
  return calls;
}

/** Holds the last result, so that no work is optimised away. */
let sink: unknown;

function measure(work: () => unknown, calls: number): number {
  const start = performance.now();
  for (let call = 0; call < calls; call += 1) sink = work();
  const elapsed = performance.now() - start;
  if (sink === undefined) throw new Error("the work answers nothing");
  return elapsed;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
