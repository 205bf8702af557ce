import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

function parley(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("the compiled program prints its version", () => {
  expect(parley("--version")).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^parley \d/),
    stderr: "",
  });
});

test("the compiled program exits with 2 for a usage error", () => {
  expect(parley("frobnicate")).toEqual({
    status: 2,
    stdout: "",
    stderr: "Error: there is no command frobnicate\nHint: parley help\n",
  });
});
