import { expect, test } from "vitest";
import { runCli } from "./run-cli.js";

async function run(...args: string[]) {
  const written = { stdout: "", stderr: "" };
  const exitCode = await runCli(args, {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { exitCode, ...written };
}

test.each([["help"], ["--help"], ["-h"]])("%s lists the commands", async (flag) => {
  const { exitCode, stdout, stderr } = await run(flag);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^Usage: parley <command> \[options\]\n/);
  expect(stdout).toMatch(/^ {2}help +show the commands/m);
});

test("shows the usage of one command in both ways of asking", async () => {
  const asked = { exitCode: 0, stdout: "Usage: parley help [command]\n", stderr: "" };
  expect(await run("help", "help")).toEqual(asked);
  expect(await run("help", "--help")).toEqual(asked);
});

test.each([["--version"], ["version"]])("%s prints the package's version", async (flag) => {
  const { exitCode, stdout, stderr } = await run(flag);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^parley \d+\.\d+\.\d+\n$/);
});

test.each([
  { args: [], error: "no command was given", hint: "parley help" },
  { args: ["frobnicate"], error: "there is no command frobnicate", hint: "parley help" },
  { args: ["constructor"], error: "there is no command constructor", hint: "parley help" },
  { args: ["--frobnicate"], error: "there is no option --frobnicate", hint: "parley help" },
  { args: ["help", "frobnicate"], error: "there is no command frobnicate", hint: "parley help" },
  {
    args: ["help", "a", "b"],
    error: "help takes one command, but 2 were given",
    hint: "parley help",
  },
])("$args is a usage error on stderr", async ({ args, error, hint }) => {
  expect(await run(...args)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `Error: ${error}\nHint: ${hint}\n`,
  });
});

test("an option that the command does not have is a usage error that names the command", async () => {
  const { exitCode, stdout, stderr } = await run("version", "--frobnicate");
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toMatch(/^Error: .*--frobnicate.*\nHint: parley help version\n$/s);
});
