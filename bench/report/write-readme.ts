import { readFile, writeFile } from "node:fs/promises";
import { format } from "prettier";
import { valueOf } from "./results.js";
import type { Results } from "./results.js";
import { table } from "./table.js";

const begin = "<!-- bench: npm run bench writes this table -->";
const end = "<!-- /bench -->";

/** Writes the first goal of each series between two markers of the README. Leaves a README without them as it is. */
export async function writeReadme(path: string, results: Results): Promise<void> {
  const text = await readFile(path, "utf8");
  const [before, rest] = text.split(begin, 2);
  const after = rest?.split(end, 2)[1];
  if (before === undefined || after === undefined) return;
  const rows = results.series.flatMap(({ name, title, finding: { goals } }) =>
    goals
      .slice(0, 1)
      .map((goal) => [`[${title}](bench/RESULTS.md#${name})`, goal.what, valueOf(goal)]),
  );
  const written = table(["series", "", "found"], rows);
  const page = `${before}${begin}\n\n${written}\n\n${end}${after}`;
  await writeFile(path, await format(page, { parser: "markdown", printWidth: 100 }));
}
