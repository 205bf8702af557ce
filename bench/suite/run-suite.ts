import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { progress } from "../measure.js";
import { boundOf, merge, valueOf, verdictOf } from "../report/results.js";
import type { SeriesResult } from "../report/results.js";
import { readResults, writeResults } from "../report/write-results.js";
import { allSeries } from "./all-series.js";
import { measureCeiling } from "./ceiling.js";
import { Lab } from "./lab.js";
import type { Series } from "./series.js";

export interface SuiteOptions {
  /** All when there are none. */
  readonly names: readonly string[];
  readonly isQuick: boolean;
}

const order = allSeries.map(({ name }) => name);

/** Measures series and writes the results. Returns whether every goal was met. */
export async function runSuite({ names, isQuick }: SuiteOptions): Promise<boolean> {
  const chosen = allSeries.filter(({ name }) => names.length === 0 || names.includes(name));
  await using lab = await Lab.open(isQuick);
  progress("what the load generator can do");
  const ceiling = await measureCeiling(lab);
  const series: SeriesResult[] = [];
  for (const one of chosen) {
    progress(one.name);
    const measured = await measure(lab, one);
    series.push(measured);
    for (const goal of measured.finding.goals) {
      const words = [`${one.name}: ${goal.what}: ${valueOf(goal)}`, boundOf(goal), verdictOf(goal)];
      process.stdout.write(`${words.filter((word) => word !== "").join(", ")}\n`);
    }
  }
  const [cpu] = cpus();
  const results = {
    machine: `${cpus().length} cores (${cpu?.model ?? "unknown"}), node.js ${process.versions.node}`,
    ceiling,
    series,
  };
  // The numbers of a quick run tell nothing, so they replace none.
  const folder = fileURLToPath(new URL(isQuick ? "../quick" : "../..", import.meta.url));
  const readme = fileURLToPath(new URL("../../../README.md", import.meta.url));
  await writeResults(
    merge(await readResults(folder), results, order),
    folder,
    isQuick ? undefined : readme,
  );
  return series.every(({ finding }) => finding.goals.every((goal) => verdictOf(goal) !== "MISSED"));
}

async function measure(lab: Lab, series: Series): Promise<SeriesResult> {
  const { name, title, what, reference } = series;
  const start = performance.now();
  try {
    const finding = await series.measure(lab);
    const seconds = (performance.now() - start) / 1000;
    const generator = lab.generator.takeStrain();
    return { name, title, what, reference, seconds, generator, finding };
  } finally {
    await lab.clear();
  }
}
