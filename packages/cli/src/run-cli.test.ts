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
  const usage = "Usage: parley help [command]\n\nExample:\n  parley help task get\n";
  const asked = { exitCode: 0, stdout: usage, stderr: "" };
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
  { args: ["help", "a", "b"], error: "there is no command a b", hint: "parley help" },
  {
    args: ["sned", "hi"],
    error: "there is no command sned; did you mean send?",
    hint: "parley help send",
  },
  {
    args: ["taks", "get"],
    error: "there is no command taks; did you mean task?",
    hint: "parley help task",
  },
  {
    args: ["help", "task", "lits"],
    error: "there is no command task lits; did you mean task list?",
    hint: "parley help task list",
  },
  {
    args: ["send", "hi", "--steam"],
    error: "there is no option --steam; did you mean --stream?",
    hint: "parley help send",
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

test.each([
  { args: ["cluster"], error: "cluster takes one word, status; nothing was given" },
  { args: ["cluster", "stats"], error: "cluster takes one word, status; not stats" },
  { args: ["cluster", "status", "--store", ""], error: "--store is empty; give a value" },
  { args: ["drain"], error: "drain takes one node, but 0 were given" },
  { args: ["drain", "a", "b"], error: "drain takes one node, but 2 were given" },
  {
    args: ["drain", "a", "--timeout", "5"],
    error: "--timeout must be a duration such as 7d, 12h, 30m or 45s, not 5",
  },
  {
    args: ["migrate", "--store", ".parley/parley.db"],
    error:
      "--store must be postgres://…; a SQLite file is brought up to date when a server opens it",
  },
  {
    args: ["migrate", "--store", ""],
    error: "there is no database to migrate; give one with --store or DATABASE_URL",
  },
])("$args is a usage error of its command", async ({ args, error }) => {
  expect(await run(...args)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: `Error: ${error}\nHint: parley help ${args[0]}\n`,
  });
});

test.each([
  ["cluster", "status"],
  ["drain", "pod-1"],
])("%s %s makes no store where there is none", async (...args) => {
  const { exitCode, stderr } = await run(...args, "--store", "/there/is/none.db");
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: "Error: there is no store /there/is/none.db\n",
  });
});
