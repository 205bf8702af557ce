import type { SubjectOptions } from "../subjects/subject.js";
import type { Lab } from "./lab.js";
import type { Bar } from "./series.js";
import type { Subject } from "./subject.js";

/** What the sides of a series are called on its plots. */
const labels = {
  sqlite: "Parley, SQLite",
  memory: "Parley, memory",
  bare: "node:http",
  together: "node:http, a turn together",
  sdk: "SDK, memory",
} as const;

type Side = keyof typeof labels;

const ours: readonly Side[] = ["sqlite", "memory"];

/** One bar a side, in the order in which they were measured. */
export function barsOf(values: Partial<Readonly<Record<Side, readonly number[]>>>): Bar[] {
  return (Object.keys(values) as Side[]).map((side) => ({
    label: labels[side],
    values: values[side] ?? [],
    isOurs: ours.includes(side),
  }));
}

/** Starts Parley on SQLite and in memory, and the SDK in memory. */
export async function openServers(
  lab: Lab,
  options: SubjectOptions = {},
): Promise<Record<"sqlite" | "memory" | "sdk", Subject>> {
  return {
    sqlite: await lab.open("parley", { ...options, store: lab.newFile() }),
    memory: await lab.open("parley", options),
    sdk: await lab.open("sdk", options),
  };
}
