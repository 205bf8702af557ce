import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environmentName, optionTable, ruleOf } from "./option-table.js";
import type { OptionName } from "./option-table.js";
import { readOptions } from "./read-options.js";

/** A folder within a folder with an `.env`, the user's own `.env`, and another file. */
function openFolders(near: string, own: string, other = "") {
  const root = mkdtempSync(join(tmpdir(), "parley-options-"));
  const cwd = join(root, "project/deep/down");
  const configFolder = join(root, "config/a2a-cli");
  mkdirSync(cwd, { recursive: true });
  mkdirSync(configFolder, { recursive: true });
  writeFileSync(join(root, "project/.env"), near);
  writeFileSync(join(configFolder, ".env"), own);
  writeFileSync(join(root, "other.env"), other);
  const files = {
    near: join(root, "project/.env"),
    own: join(configFolder, ".env"),
    other: join(root, "other.env"),
  };
  return { cwd, configFolder, files };
}

test("a flag counts more than the environment, that more than the nearest .env, that more than the user's own", () => {
  const { cwd, configFolder, files } = openFolders(
    "A2ACLI_TIMEOUT=3s\nA2ACLI_BEARER=near\nA2ACLI_API_KEY=near",
    "A2ACLI_TIMEOUT=4s\nA2ACLI_BEARER=own\nA2ACLI_API_KEY=own\nA2ACLI_A2A_VERSION=0.3",
  );
  const env = { A2ACLI_TIMEOUT: "2s", A2ACLI_BEARER: "environment", A2ACLI_API_KEY: "" };
  const names = ["timeout", "bearer", "api-key", "a2a-version", "output", "agent-card"] as const;
  const { values, sources } = readOptions(names, ["--timeout", "1s"], { env, cwd, configFolder });
  expect(values).toEqual({
    timeout: "1s",
    bearer: "environment",
    "api-key": "near",
    "a2a-version": "0.3",
    output: "text",
    "agent-card": undefined,
  });
  expect(sources).toEqual({
    timeout: "flag",
    bearer: "environment",
    "api-key": files.near,
    "a2a-version": files.own,
    output: "default",
    "agent-card": "default",
  });
});

test("--config takes the place of the nearest .env, and has to be there", () => {
  const around = openFolders(
    "A2ACLI_TIMEOUT=3s\nA2ACLI_BEARER=b",
    "A2ACLI_TIMEOUT=4s",
    "A2ACLI_OUTPUT=json",
  );
  const names = ["timeout", "bearer", "output", "config"] as const;
  const read = (path: string) => readOptions(names, ["--config", path], { ...around, env: {} });
  const { values, sources } = read(around.files.other);
  expect(values).toMatchObject({ timeout: "4s", bearer: undefined, output: "json" });
  expect(sources.output).toBe(around.files.other);
  expect(() => read("none.env")).toThrow(/--config: there is no file .*none\.env/);
});

test("the environment can name the file of --config, a file cannot, and the flag counts more", () => {
  const around = openFolders("A2ACLI_TIMEOUT=3s", "A2ACLI_CONFIG=none.env", "A2ACLI_TIMEOUT=5s");
  const { near, other } = around.files;
  const read = (args: string[], config: string) =>
    readOptions(["timeout", "config"], args, { ...around, env: { A2ACLI_CONFIG: config } });
  const byVariable = {
    values: { timeout: "5s", config: other },
    sources: { config: "environment" },
  };
  expect(read([], other)).toMatchObject(byVariable);
  expect(read(["--config", near], other).values).toEqual({ timeout: "3s", config: near });
  expect(read([], "")).toMatchObject({ values: { timeout: "3s", config: undefined } });
});

const nowhere = { cwd: "/", configFolder: "/none" };

test("other names mean the same option, and those given keep their order", () => {
  const read = (...args: string[]) =>
    readOptions(["async", "wait", "text", "file"], args, { ...nowhere, env: {} });
  expect(read("--return-immediately").values.async).toBe(true);
  expect(read("--no-wait").values.async).toBe(true);
  expect(read("--watch").values.wait).toBe(true);
  expect(read("--file", "a", "--text", "b", "--file", "c").given).toEqual([
    { name: "file", value: "a" },
    { name: "text", value: "b" },
    { name: "file", value: "c" },
  ]);
});

test("the environment sets switches and lists, and never --stream", () => {
  const env = {
    A2ACLI_ASYNC: "yes",
    A2ACLI_WAIT: "0",
    A2ACLI_STREAM: "1",
    A2ACLI_TRANSPORT: "GRPC, JSONRPC",
    A2ACLI_SVC_PARAM: "X-A:1,2,X-B:3",
  };
  const names = ["async", "wait", "stream", "transport", "svc-param"] as const;
  expect(readOptions(names, [], { ...nowhere, env }).values).toEqual({
    async: true,
    wait: false,
    stream: false,
    transport: ["GRPC", "JSONRPC"],
    "svc-param": ["X-A:1,2", "X-B:3"],
  });
  const broken = { ...nowhere, env: { A2ACLI_ASYNC: "maybe" } };
  expect(() => readOptions(names, [], broken)).toThrow(
    "A2ACLI_ASYNC must be true or false, not maybe",
  );
});

test("canonical options have the environment names of the specification", () => {
  const canonical = [
    ["agent-card", "A2ACLI_AGENT_CARD"],
    ["a2a-version", "A2ACLI_A2A_VERSION"],
    ["context-id", "A2ACLI_CONTEXT_ID"],
    ["task-id", "A2ACLI_TASK_ID"],
    ["svc-param", "A2ACLI_SVC_PARAM"],
    ["poll-interval", "A2ACLI_POLL_INTERVAL"],
    ["async", "A2ACLI_ASYNC"],
    ["wait", "A2ACLI_WAIT"],
    ["bearer", "A2ACLI_BEARER"],
    ["api-key", "A2ACLI_API_KEY"],
    ["config", "A2ACLI_CONFIG"],
    ["debug", "A2ACLI_DEBUG"],
    ["insecure", "A2ACLI_INSECURE"],
    ["metadata", "A2ACLI_METADATA"],
    ["output", "A2ACLI_OUTPUT"],
    ["timeout", "A2ACLI_TIMEOUT"],
    ["transport", "A2ACLI_TRANSPORT"],
    ["verbose", "A2ACLI_VERBOSE"],
    ["stream", undefined],
  ] as const;
  for (const [name, variable] of canonical) expect(environmentName(name)).toBe(variable);
});

test("no two options share a name or a letter", () => {
  const names = Object.keys(optionTable) as OptionName[];
  const words = names.flatMap((name) => {
    const { aliases = [], short } = ruleOf(name);
    return [name, ...aliases, ...(short === undefined ? [] : [short])];
  });
  expect(new Set(words).size).toBe(words.length);
});
