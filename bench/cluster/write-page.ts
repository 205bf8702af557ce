import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { table } from "../report/table.js";
import { cellsOf, head } from "./row.js";
import type { Row } from "./row.js";

/** What came of a series. */
export interface SeriesRows {
  readonly name: string;
  readonly seconds: number;
  readonly rows: readonly Row[];
  /** Why there are no rows. */
  readonly problem?: string;
}

const page = fileURLToPath(new URL("../../CLUSTER.md", import.meta.url));

/** Writes what all series have found into `bench/CLUSTER.md`. */
export async function writePage(all: readonly SeriesRows[], server: string): Promise<void> {
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model ?? "unknown"}), node.js ${process.versions.node}, ${server}`;
  const text = [
    "# Many nodes over one PostgreSQL",
    "`npm run bench -- cluster` writes this page. Do not edit it.",
    `Measured on ${machine}: nodes, database and callers share the machine. Most numbers are ratios of two sides that took turns.`,
    table(
      ["series", ...head],
      all.flatMap(({ name, rows, problem }) =>
        problem === undefined
          ? rows.map((row) => [name, ...cellsOf(row)])
          : [[name, problem, "", "", "not measured", ""]],
      ),
    ),
    `It took ${Math.round(all.reduce((sum, { seconds }) => sum + seconds, 0))} s: ${all
      .map(({ name, seconds }) => `${name} ${Math.round(seconds)}`)
      .join(", ")}.`,
  ].join("\n\n");
  await writeFile(page, await format(text, { parser: "markdown", printWidth: 100 }));
}
