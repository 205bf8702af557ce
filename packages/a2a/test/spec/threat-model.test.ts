import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const page = readFileSync(new URL("docs/threat-model.md", root), "utf8").replaceAll(/\s+/g, " ");

/** Files that the page names, each with the names of tests that follow it. */
function* citations(): Generator<readonly [file: string, names: readonly string[]]> {
  const parts = page.split(/`((?:test|src|bench)\/[\w./-]+\.ts)`/);
  for (let index = 1; index < parts.length; index += 2) {
    const [, ...quoted] = (parts[index + 1] ?? "").split('"');
    yield [parts[index] ?? "", quoted.filter((_, place) => place % 2 === 0)];
  }
}

it.each([...citations()])("what the threat model says of %s is there", (file, names) => {
  const folder = file.startsWith("bench/") ? "" : "packages/a2a/";
  const source = readFileSync(new URL(folder + file, root), "utf8").replaceAll(/\s+/g, " ");
  for (const name of names) {
    for (const words of name.split("…")) expect(source).toContain(words.trim());
  }
});

it("the threat model names tests for what it says is defended", () => {
  expect([...citations()].length).toBeGreaterThan(20);
});
