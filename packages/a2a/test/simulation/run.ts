/**
 * Simulates a cluster: `npm run simulate -- --seeds 1000 --nodes 5 --tasks 20`. A failing seed is made smaller and printed with
 * its choices and its trace; `--seed` repeats it. `--growth --tasks 1000000` shows what grows
 * with nodes and tasks.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { simulate } from "@parley/a2a/testing";
import type { FaultName, SimulationReport } from "@parley/a2a/testing";
import { printGrowth } from "./growth.js";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    nodes: { type: "string", default: "3" },
    tasks: { type: "string", default: "6" },
    faults: { type: "string" },
    "keep-going": { type: "boolean", default: false },
    growth: { type: "boolean", default: false },
  },
});

/** Throws for what is no whole number above 0. */
function wholeNumber(name: "seeds" | "seed" | "nodes" | "tasks"): number {
  const number = Number(values[name]);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`--${name} is ${values[name]}; expected a whole number above 0`);
}

/** How often progress is told. */
const progressMs = 5000;
/** The last lines of a trace, which show how it came to the failure. */
const tracedLines = 400;

async function run(): Promise<SimulationReport> {
  const begunAt = performance.now();
  const seeds = wholeNumber("seeds");
  let toldAt = begunAt;
  const report = await simulate({
    seeds,
    seed: wholeNumber("seed"),
    nodes: wholeNumber("nodes"),
    tasks: wholeNumber("tasks"),
    ...(values.faults !== undefined && { faults: values.faults.split(",") as FaultName[] }),
    ...(values["keep-going"] && { maxFailures: Infinity }),
    onSeed({ seed, done, steps, failures }) {
      if (performance.now() - toldAt < progressMs) return;
      toldAt = performance.now();
      process.stderr.write(
        `${done} of ${seeds} seeds (last ${seed}), ${steps} steps, ${failures} failures\n`,
      );
    },
  });
  const seconds = (performance.now() - begunAt) / 1000;
  const { steps, simulatedMs, statements, messages, failures } = report;
  for (const { seed, violations, choices = [], trace = [] } of failures) {
    console.log(`\nseed ${seed}`);
    for (const { invariant, message } of violations) console.log(`  ${invariant}: ${message}`);
    if (choices.length > 0) console.log(`choices: ${choices.join(" ")}`);
    for (const line of trace.slice(-tracedLines)) console.log(`  ${line}`);
  }
  console.log(`\nHow often each fault struck a task in each state:`);
  console.table(report.coverage);
  console.log(`How often each operation met a task in each state:`);
  console.table(report.operations);
  console.log(
    `${report.seeds} seeds, ${steps} steps, ${Math.round(simulatedMs / 1000)} simulated seconds, ` +
      `${statements} requests to the store, ${messages} wake-ups, hash ${report.hash}; ` +
      `${seconds.toFixed(1)} s, ${Math.round(steps / seconds)} steps/s`,
  );
  console.log(`${failures.length} failures`);
  return report;
}

if (values.growth) await printGrowth(wholeNumber("tasks"));
else if ((await run()).failures.length > 0) process.exitCode = 1;
