import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCode } from "./documented-code.js";
import type { DocumentedCode } from "./documented-code.js";

const root = new URL("../../../../", import.meta.url);
const readRoot = (path: string): string => readFileSync(new URL(path, root), "utf8");

let code: DocumentedCode;

beforeAll(async () => {
  code = await openCode("README.md");
});

afterAll(() => code[Symbol.asyncDispose]());

it("the code of the README compiles", () => {
  expect(code.complaints).toBe("");
});

it("the README's client gets an answer and a stream from its ten-line agent", async () => {
  await using running = await code.run("echo", 4100);
  const script = await readFile(code.pathOf("call"), "utf8");
  expect(script).toContain('connect("http://127.0.0.1:4100")');
  const client = code.pathOf("call-elsewhere");
  await writeFile(client, script.replace("4100", String(running.portFor(4100))));
  const { stdout } = await promisify(execFile)(process.execPath, [client]);
  expect(stdout).toBe("You said: hello\n[ { text: 'You said: hello again' } ]\n");
});

it.each(["countdown", "travel"])("%s in the README is the example of that name", (name) => {
  const block = readRoot("README.md").split(`\`\`\`ts\n// ${name}.ts\n`)[1]?.split("```")[0];
  expect(block).toBe(readRoot(`examples/${name}.ts`));
});

it.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])(
  "%s links only to files that exist",
  (page) => {
    const links = Array.from(
      readRoot(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g),
      ([, to]) => to,
    );
    const missing = links.filter((to) => !existsSync(fileURLToPath(new URL(to ?? "", root))));
    expect(missing).toEqual([]);
  },
);

it("ARCHITECTURE names only files and folders of the library that exist", () => {
  const rows = readRoot("ARCHITECTURE.md").split("\n");
  const start = rows.findIndex((row) => row.startsWith("| to change"));
  const table = rows
    .slice(start + 2, rows.indexOf("", start))
    .map((row) => row.split("|")[2] ?? "");
  const names = table.flatMap((cell) =>
    Array.from(cell.matchAll(/`([a-z][\w.-]*\/[^`]+)`/g), ([, to = ""]) => to),
  );
  expect(names.length).toBeGreaterThan(12);
  const exists = (path: string): boolean => existsSync(fileURLToPath(new URL(path, root)));
  const missing = names.filter((name) => {
    const path = name.startsWith("packages/") ? name : `packages/a2a/src/${name}`;
    return !exists(path) && !exists(`${path}.ts`);
  });
  expect(missing).toEqual([]);
});
