import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openFolder } from "../support/files/open-folder.js";

const script = fileURLToPath(new URL("./allocate.mjs", import.meta.url));
const flags = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"];

it("a chunk takes few bytes of the heap on its way from the handler to the one who watches", async () => {
  await using folder = await openFolder();
  const arguments_ = [...flags, script, folder.file()];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_);
  const { memory, sqlite } = JSON.parse(stdout) as Record<
    "memory" | "sqlite",
    { readonly bytes: number; readonly collections: number }
  >;
  // A collection would hide what was allocated before it.
  expect([memory.collections, sqlite.collections]).toEqual([0, 0]);
  expect(memory.bytes).toBeLessThan(4500);
  expect(sqlite.bytes).toBeLessThan(5000);
});
