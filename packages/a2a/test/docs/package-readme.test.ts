import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openCode } from "./documented-code.js";
import type { DocumentedCode } from "./documented-code.js";

const root = new URL("../../../../", import.meta.url);

let code: DocumentedCode;

beforeAll(async () => {
  code = await openCode("packages/a2a/README.md");
});

afterAll(() => code[Symbol.asyncDispose]());

it("the code of the package's page compiles", () => {
  expect(code.complaints).toBe("");
});

it("client.ts gets from agent.ts what the page says", async () => {
  await using running = await code.run("agent", 4100);
  const url = `http://127.0.0.1:${running.portFor(4100)}`;
  const client = code.pathOf("client");
  const { stdout } = await promisify(execFile)(process.execPath, [client, url]);
  expect(stdout).toBe("You said: hi\nYou said: hi again\n");
});

it.each(["a2a", "cli"])("the page of %s names only documents that there are", (name) => {
  const text = readFileSync(new URL(`packages/${name}/README.md`, root), "utf8");
  const documents = text.match(/[\w/-]+\.md\b/g) ?? [];
  expect(documents).toContain("docs/hosting.md");
  const missing = documents.filter((path) => !existsSync(fileURLToPath(new URL(path, root))));
  expect(missing).toEqual([]);
});
