import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf, pages, pathInRoot } from "./page.js";

const tests = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(import.meta.dirname, name), "utf8"))
  .join("\n");

/** Pages whose TypeScript no test runs, and why. */
const notRun: Readonly<Record<string, string>> = {
  "docs/api.md": "its lines are imports, written from the declarations by `npm run api`",
};

/** Blocks that are shown, not run: the tests of their pages compare them with what is there. */
const shown = [
  "docs/authorization.md: json",
  "docs/hosting.md: json",
  "docs/observability.md: json",
  "docs/push.md: http",
  "docs/serve.md: json",
  "docs/serve.md: python",
];

it.each(pages())("a test runs the code of %s, if it has some", (page) => {
  const languages = new Set(blocksOf(page).map(({ language }) => language));
  if (languages.delete("ts") && notRun[page] === undefined) {
    const name = JSON.stringify(page);
    const isNamed = tests.includes(`const page = ${name}`) && tests.includes("describePage(page,");
    expect(tests.includes(`describePage(${name}`) || isNamed).toBe(true);
  }
  languages.delete("sh"); // shell.test.ts runs them all
  const others = Array.from(languages, (language) => `${page}: ${language}`);
  expect(others.filter((one) => !shown.includes(one))).toEqual([]);
});

it("the blocks of a page are all closed, and all say their language", () => {
  for (const page of pages()) {
    const fences = readFileSync(pathInRoot(page), "utf8").match(/^ *```.*$/gm) ?? [];
    const opened = fences.filter((_, index) => index % 2 === 0);
    // Pictures have no language.
    const known = opened.filter((fence) => fence !== "```");
    expect(blocksOf(page).length, page).toBe(known.length);
    expect(fences.length % 2, page).toBe(0);
  }
});
