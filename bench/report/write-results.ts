import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { format } from "prettier";
import { plotSeries } from "./plot-series.js";
import { writeReadme } from "./write-readme.js";
import { boundOf, valueOf, verdictOf } from "./results.js";
import type { Results, SeriesResult } from "./results.js";
import { spreadOf, toldSpread } from "./spread.js";
import { table } from "./table.js";

/** Reads what an earlier run has found, if there was one. */
export async function readResults(folder: string): Promise<Results | undefined> {
  const text = await readFile(join(folder, "results.json"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Results);
}

/** Writes results as JSON, as a page and as plots, and the table of the README if there is a place for it. */
export async function writeResults(
  results: Results,
  folder: string,
  readme?: string,
): Promise<void> {
  await mkdir(join(folder, "plots"), { recursive: true });
  const json = JSON.stringify(results, (_, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(5)) : value,
  );
  await write(join(folder, "results.json"), json, "json");
  await write(join(folder, "RESULTS.md"), pageOf(results), "markdown");
  for (const series of results.series) {
    await writeFile(join(folder, "plots", `${series.name}.svg`), plotSeries(series));
  }
  if (readme !== undefined) await writeReadme(readme, results);
}

async function write(path: string, text: string, parser: "json" | "markdown"): Promise<void> {
  await writeFile(path, await format(text, { parser, printWidth: 100 }));
}

function pageOf(results: Results): string {
  const { machine, ceiling, series } = results;
  const share = Math.max(...series.map(({ generator }) => generator.share));
  const perSecond = Math.max(...series.map(({ generator }) => generator.perSecond));
  return [
    "# Benchmark results",
    "`npm run bench` writes this page. Do not edit it.",
    `Measured on ${machine}, with the load generator on the same machine. All sides of a series take turns in each round; a value is the median of the rounds, with the least and the largest after it. A ratio is the median of the rounds' ratios. The SDK is \`@a2a-js/sdk\` 1.3.0, set up as its documentation says; on SQLite and PostgreSQL it is its table and its statements without the query builder, which is in its favour.`,
    `The load generator is one process, and sends the same bytes to all. It takes ${Math.round(ceiling).toLocaleString("en")} answers a second from a server that does nothing; from the servers it took ${Math.round(perSecond).toLocaleString("en")} at most, and never used more than ${(share * 100).toFixed(0)} % of a core. Spread load is left out of that: there it looks at the clock all the time, and the server's processor time is what counts.`,
    "## Goals",
    table(
      ["series", "goal", "found", "asked", ""],
      results.series.flatMap(({ name, finding }) =>
        finding.goals.map((goal) => [
          `[${name}](#${name})`,
          goal.what,
          valueOf(goal),
          boundOf(goal),
          verdictOf(goal),
        ]),
      ),
    ),
    ...results.series.map(sectionOf),
  ].join("\n\n");
}

function sectionOf({ name, title, what, reference, seconds, finding }: SeriesResult): string {
  const { panels, growth, notes = [] } = finding;
  const rows = [
    ...panels.flatMap(({ title: group, unit, bars }) =>
      bars.map(({ label, values }) => [group, label, `${toldSpread(spreadOf(values))}`, unit]),
    ),
    ...(growth?.lines ?? []).flatMap(({ label, points }) =>
      points.map(({ size, values }) => [
        `${size.toLocaleString("en")} ${growth?.sizes}`,
        label,
        toldSpread(spreadOf(values)),
        growth?.costs ?? "",
      ]),
    ),
  ];
  return [
    `## ${name}`,
    `**${title}.** ${what}`,
    `Measured against ${reference}. Took ${seconds.toFixed(0)} s.`,
    `![${title}](plots/${name}.svg)`,
    table(["", "", "median (least to largest)", "unit"], rows),
    ...notes,
  ].join("\n\n");
}
