/**
 * The failure matrix, row by row, with real processes: `npm run chaos -- --row kill-9 --minutes 10 --seed 7`. Progress
 * goes to stderr, a table comes in the end. The process ends with 1 when a row does not hold, or when a mutant lives.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { mutants } from "./cluster-node.js";
import type { Mutant } from "./cluster-node.js";
import type { BusKind, StoreKind } from "./engines.js";
import { matrix } from "./rows/matrix.js";
import type { Row } from "./rows/row.js";
import { runRow } from "./run-row.js";
import type { RowResult } from "./run-row.js";

const { values } = parseArgs({
  options: {
    row: { type: "string", multiple: true },
    minutes: { type: "string", default: "0.5" },
    seed: { type: "string" },
    store: { type: "string", default: "postgres" },
    bus: { type: "string" },
    postgres: { type: "string", default: "18" },
    lease: { type: "string", default: "3000" },
    nodes: { type: "string", default: "3" },
    concurrency: { type: "string", default: "12" },
    watchers: { type: "string", default: "1000" },
    mutants: { type: "boolean", default: false },
    mutant: { type: "string", multiple: true },
  },
});

const store = values.store as StoreKind;
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const common = {
  store,
  bus: (values.bus ?? (store === "postgres" ? "postgres" : "file")) as BusKind,
  version: Number(values.postgres) as 15 | 18,
  seed,
  forMs: Number(values.minutes) * 60_000,
  leaseMs: Number(values.lease),
  nodes: Number(values.nodes),
  concurrency: Number(values.concurrency),
  watchers: Number(values.watchers),
};

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The row that brings a mutant's fault to light. */
const rowOfMutant: Record<Mutant, string> = {
  "no-epoch-check": "late-writes",
  "early-acknowledgement": "kill-9",
  "deaf-bus": "calm",
  "own-clock": "clock-skew",
};

function rowsToRun(): readonly Row[] {
  const names = values.row;
  if (names === undefined) {
    const isPossible = (row: Row): boolean => store === "postgres" || row.needs === undefined;
    return matrix.filter((row) => row.name !== "mixed" && isPossible(row));
  }
  return names.map(rowNamed);
}

function rowNamed(name: string): Row {
  const found = matrix.find((row) => row.name === name);
  if (found !== undefined) return found;
  const known = matrix.map((row) => row.name).join(", ");
  throw new Error(`there is no row ${name}; there are ${known}`);
}

function describe(result: RowResult): string {
  const { violations, broken, seed: used, folder } = result;
  return [
    ...violations
      .slice(0, 10)
      .map(({ invariant, taskId = "", message }) => `  ${invariant} ${taskId}: ${message}`),
    ...(violations.length > 10 ? [`  and ${violations.length - 10} more violations`] : []),
    ...broken.map((message) => `  ${message}`),
    `  repeat with --row ${result.name} --seed ${used}; history and shortest.json are in ${folder}`,
  ].join("\n");
}

async function tryRow(row: Row, mutant?: Mutant): Promise<string> {
  say(`${row.name}${mutant ? ` with ${mutant}` : ""}: ${row.expected}`);
  const begunAt = Date.now();
  const result = await runRow(row, { ...common, ...(mutant && { mutant }) });
  const seconds = Math.round((Date.now() - begunAt) / 1000);
  const isBroken = result.violations.length > 0 || result.broken.length > 0;
  const holds = mutant === undefined ? !isBroken : isBroken;
  if (!holds) process.exitCode = 1;
  if (isBroken) say(describe(result));
  const verdict = mutant === undefined ? (holds ? "holds" : "BROKEN") : holds ? "caught" : "LIVES";
  const { conversations, violations, broken, tasks, entries, calls, unknown, faults } = result;
  const wrong = violations.length + broken.length;
  const counts = [seconds, faults, conversations, tasks, entries, calls, unknown, wrong];
  const cells = [mutant ?? row.name, verdict, ...counts];
  say(`${row.name}: ${verdict} after ${seconds} s`);
  return `| ${cells.join(" | ")} |`;
}

say(
  `seed ${seed}, ${common.store}, bus ${common.bus}, ${common.nodes} nodes, leases of ${common.leaseMs} ms`,
);
const lines = [
  "| row | verdict | s | faults | conversations | tasks | log entries | calls | in doubt | violations |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
];
if (values.mutants || values.mutant !== undefined) {
  const { mutant: named } = values;
  const chosen = mutants.filter((mutant) => named === undefined || named.includes(mutant));
  for (const mutant of chosen) lines.push(await tryRow(rowNamed(rowOfMutant[mutant]), mutant));
} else {
  for (const row of rowsToRun()) {
    try {
      lines.push(await tryRow(row));
    } catch (error) {
      process.exitCode = 1;
      say(
        `${row.name} could not be tried: ${error instanceof Error ? error.stack : String(error)}`,
      );
      lines.push(`| ${row.name} | NOT TRIED | | | | | | | | |`);
    }
  }
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exit();
