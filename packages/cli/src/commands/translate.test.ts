import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../run-cli.js";

async function translate(...args: string[]) {
  const written = { stdout: "", stderr: "" };
  const exitCode = await runCli(["translate", ...args], {
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
  });
  return { exitCode, ...written };
}

function file(content: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), "parley-translate-")), "document.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("shows a sample in every version and binding", async () => {
  const { exitCode, stdout, stderr } = await translate();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^Found: sendMessage in 1\.0\n/);
  expect(stdout).toContain('"method": "tasks/send"');
  expect(stdout).toContain('"method": "message/send"');
  expect(stdout).toContain('"request": "POST /v1/message:send"');
});

test("prints one JSON document when asked to", async () => {
  const path = file({ jsonrpc: "2.0", id: 7, method: "tasks/get", params: { id: "t1" } });
  const { stdout } = await translate(path, "-o", "json");
  expect(JSON.parse(stdout)).toEqual({
    found: "getTask in 0.3",
    forms: [
      {
        title: "JSON-RPC 0.1",
        body: { jsonrpc: "2.0", id: 7, method: "tasks/get", params: { id: "t1" } },
      },
      {
        title: "JSON-RPC 0.3",
        body: { jsonrpc: "2.0", id: 7, method: "tasks/get", params: { id: "t1" } },
      },
      {
        title: "JSON-RPC 1.0",
        body: { jsonrpc: "2.0", id: 7, method: "GetTask", params: { id: "t1" } },
      },
      { title: "HTTP+JSON 0.3-proto", body: "GET /v1/tasks/t1" },
      { title: "HTTP+JSON 1.0", body: "GET /tasks/t1" },
    ],
  });
});

test("says what a version has no words for", async () => {
  const path = file({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
  const { exitCode, stdout } = await translate(path);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("JSON-RPC 0.1:\nversion 0.1 has no listTasks\n");
});

test("shows a card in the forms a server serves", async () => {
  const path = file({
    name: "Travel",
    description: "Books flights",
    version: "1",
    url: "https://agents.example/travel",
    protocolVersion: "0.3.0",
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  });
  const { exitCode, stdout } = await translate(path);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^Found: agent card of version 0\.3\n/);
  expect(stdout).toContain('"supportedInterfaces"');
});

test.each([
  ["0.1", { url: "https://agents.example/", authentication: { schemes: ["Bearer"] } }],
  ["0.3", { url: "https://agents.example/", protocolVersion: "0.3.0" }],
])("keeps in a card of %s that tasks tell their states", async (version, members) => {
  const capabilities = { streaming: true, stateTransitionHistory: true };
  const path = file({ name: "Travel", description: "", version: "1", capabilities, ...members });
  const { stdout } = await translate(path, "-o", "json");
  const { found, forms } = JSON.parse(stdout) as {
    found: string;
    forms: { title: string; body: { capabilities?: Record<string, unknown> } }[];
  };
  expect(found).toContain(version);
  const told = forms.filter(({ body }) => body.capabilities?.["stateTransitionHistory"] === true);
  expect(told.map(({ title }) => title)).toEqual(
    version === "0.1"
      ? ["Card at agent.json"]
      : ["Card 0.3", "Card for both", "Card at agent.json"],
  );
});

test.each([
  ["not JSON", "{,}", "the body is not valid JSON at position 1"],
  ["no document of the protocol", "42", "expected a JSON-RPC request or an agent card"],
  [
    "a wrong member",
    '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":3}}',
    "id: expected a string, got a number",
  ],
  [
    "an unknown method",
    '{"jsonrpc":"2.0","id":1,"method":"Frobnicate"}',
    'there is no method "Frobnicate"',
  ],
])("refuses %s in a line that says what is wrong", async (_, content, problem) => {
  expect(await translate(file(content))).toEqual({
    exitCode: 1,
    stdout: "",
    stderr: `Error: ${problem}\n`,
  });
});

test("a file that cannot be read is a usage error", async () => {
  expect(await translate("no-such-file.json")).toEqual({
    exitCode: 2,
    stdout: "",
    stderr: "Error: cannot read no-such-file.json\nHint: parley help translate\n",
  });
});
