import { once } from "node:events";
import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agent } from "@parley/a2a";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { splitWords } from "../../src/serve/exec/split-words.js";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { runHere } from "../run-here.js";
import type { RanHere } from "../run-here.js";
import { documentOf, labeled } from "./parley.js";
import { cardAt, openScriptedAgent, taskIn } from "./scripted-agent.js";
import type { ScriptedAgent } from "./scripted-agent.js";

/** Runs a command that another one has printed, with values in the places of what the help texts call them. */
function follow(line: string, places: Readonly<Record<string, string>> = {}): Promise<RanHere> {
  const [program, ...words] = splitWords(line, "a hint");
  expect(program).toBe("parley");
  return runHere(...words.map((word) => places[word] ?? word));
}

/** Runs a command that fails, and follows its hint. */
async function hintOf(code: string, ...args: readonly string[]): Promise<string> {
  const failed = await runHere(...args, "-o", "json");
  const error = documentOf.error(failed.stdout);
  expect(error.code, error.message).toBe(code);
  return error.hint;
}

let demo: Server;
let folder: string;
beforeAll(async () => {
  demo = await openDemo();
  folder = await mkdtemp(join(tmpdir(), "parley-hints-"));
});
afterAll(() => demo[Symbol.asyncDispose]());

/** An agent that does not stream, refuses some methods by an error, and has one task. */
function openRefusing(errors: Readonly<Record<string, number>>): Promise<ScriptedAgent> {
  return openScriptedAgent({
    card: { capabilities: { pushNotifications: true, extendedAgentCard: true } },
    answer: ({ method }) => {
      const code = errors[method];
      if (code !== undefined) return { error: { code, message: "No" } };
      return method === "SendMessage" ? { task: taskIn("COMPLETED") } : taskIn("COMPLETED");
    },
  });
}

describe("a hint is a command that works", () => {
  it("after an error of usage", async () => {
    const broken = join(folder, "broken.json");
    await writeFile(broken, "{");
    const hints = await Promise.all([
      hintOf("A2ACLI_ERR_USAGE", "send", "-a", demo.url),
      hintOf("A2ACLI_ERR_USAGE", "task", "get", "a", "b"),
      hintOf("A2ACLI_ERR_USAGE", "nonsense"),
      hintOf("A2ACLI_ERR_CARD_INVALID", "card", "get", "-a", broken),
      hintOf("A2ACLI_ERR_CARD_NOT_FOUND", "card", "get", "-a", join(folder, "none.json")),
    ]);
    const ran = await Promise.all(hints.map((hint) => follow(hint)));
    expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  });

  it("after nobody answered: it shows what was tried", async () => {
    const nobody = "http://127.0.0.1:9";
    const hint = await hintOf("A2ACLI_ERR_UNREACHABLE", "send", "hi", "-a", nobody);
    const { code, stderr } = await follow(hint);
    expect(code).toBe(3);
    expect(stderr).toContain(`> GET ${nobody}/.well-known/agent-card.json\n`);
    expect(stderr).toContain("< no answer after ");
    const noCard = await hintOf(
      "A2ACLI_ERR_CARD_NOT_FOUND",
      "send",
      "hi",
      "-a",
      `${demo.url}/a.json`,
    );
    expect((await follow(noCard)).stderr).toMatch(/^< 404 /m);
  });

  it("after an address with a password in it: without the password", async () => {
    for (const address of ["http://ada:geheim@127.0.0.1:9", "ada:geheim@127.0.0.1:9"]) {
      const { stdout, stderr } = await runHere("card", "get", "-a", address);
      expect(stderr).toContain("ada:PASSWORD@127.0.0.1:9");
      expect(stdout + stderr).not.toContain("geheim");
    }
  });

  it("after credentials were missing or wrong: the same command with a place for them", async () => {
    const { key, hash } = await createKey();
    const scheme = apiKey({ in: "header", name: "X-Door", keys: [{ subject: "ada", hash }] });
    const auth = createAuthenticator({ schemes: { door: scheme } });
    const greeter = agent({ name: "Greeter", description: "Greets", run: ({ text }) => text });
    await using door = await serve(greeter, { port: 0, store: createMemoryStore(), auth });
    const send = ["send", "it's me", "-a", door.url];
    const missing = await hintOf("A2ACLI_ERR_CREDENTIALS_MISSING", ...send, "--stream");
    const wrong = await hintOf("A2ACLI_ERR_AUTH_FAILED", ...send, "--api-key", "of another door");
    expect(wrong).not.toContain("another");
    for (const hint of [missing, wrong]) {
      const { code, stdout } = await follow(hint, { KEY: key });
      expect(code).toBe(0);
      expect(stdout).toContain('"it\'s me"');
    }
  });

  it("after another version was spoken: the same command in one that the agent speaks", async () => {
    await using old = await openScriptedAgent({
      at: { protocolVersion: "0.3" },
      answer: () => ({
        kind: "message",
        messageId: "m",
        role: "agent",
        parts: [{ kind: "text", text: "hello" }],
      }),
    });
    const hint = await hintOf("VersionNotSupportedError", "send", "hi there", "-a", old.url);
    expect(documentOf.sent((await follow(hint)).stdout).message?.parts).toEqual([
      { text: "hello" },
    ]);
  });

  it.each<[string, string, readonly string[], Readonly<Record<string, number>>]>([
    ["a task is not there", "TaskNotFoundError", ["send", "hi", "--task-id", "none"], {}],
    [
      "a task has ended",
      "TaskNotCancelableError",
      ["task", "cancel", "t"],
      { CancelTask: -32_002 },
    ],
    [
      "an operation is not supported",
      "UnsupportedOperationError",
      ["task", "list"],
      { ListTasks: -32_004 },
    ],
    [
      "there is no push",
      "PushNotificationNotSupportedError",
      ["task", "push-config", "list", "t"],
      { ListTaskPushNotificationConfigs: -32_003 },
    ],
    [
      "there is no extended card",
      "ExtendedAgentCardNotConfiguredError",
      ["card", "get", "--extended"],
      { GetExtendedAgentCard: -32_007 },
    ],
    [
      "the agent speaks of another task",
      "InvalidAgentResponseError",
      ["send", "hi", "--task-id", "mine"],
      {},
    ],
  ])("after %s", async (_, code, args, errors) => {
    await using scripted = await openRefusing(errors);
    const url = code === "TaskNotFoundError" ? demo.url : scripted.url;
    const hint = await hintOf(code, ...args, "-a", url);
    expect(await follow(hint)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/./) as string,
    });
  });

  it("after a task that is not there was asked for in a version without lists", async () => {
    const old = ["--a2a-version", "0.3", "-a", demo.url];
    const hint = await hintOf("TaskNotFoundError", "task", "get", "none", ...old);
    expect((await follow(hint)).code).toBe(0);
  });

  it("after any other error of the agent: the same command with its traffic", async () => {
    await using refusing = await openRefusing({ SendMessage: -32_603 });
    const text = "two words";
    const hint = await hintOf("InternalError", "send", text, "-a", refusing.url);
    const { code, stderr } = await follow(hint);
    expect(code).toBe(1);
    expect(stderr).toContain(`"text":"${text}"`);
    const long = await hintOf("InternalError", "send", "long ".repeat(99), "-a", refusing.url);
    expect(long).toMatch(/^parley send "…" -a \S+ -o json --debug$/);
  });

  it("after the time was over", async () => {
    let state = "WORKING";
    await using slow = await openScriptedAgent({
      answer: ({ method }) => (method === "SendMessage" ? { task: taskIn(state) } : taskIn(state)),
    });
    const patience = ["--poll-interval", "50ms", "--timeout", "2s"];
    const send = ["send", "hi", "-a", slow.url, ...patience];
    const hint = await hintOf("A2ACLI_ERR_TIMEOUT", ...send);
    state = "COMPLETED";
    expect(await follow(hint)).toMatchObject({ code: 0 });
    expect(hint).toBe(`parley task get -a ${slow.url} t --wait`);
  });

  it.each([["send", "hi", "-a"], ["doctor"], ["conformance"], ["bench"]])(
    "after %s was not even told the card in time",
    async (...command) => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const args = [...command, url, "--timeout", "300ms", "-o", "json"];
      const { code, stdout } = await runHere(...args);
      const error = documentOf.error(stdout);
      expect([code, error.code]).toEqual([5, "A2ACLI_ERR_TIMEOUT"]);
      expect(error.hint).toBe(`parley card get -a ${url} --debug`);
    },
  );

  it("after a file was in the way, and after a card was found to be wrong", async () => {
    const { task } = documentOf.sent(
      (await runHere("send", "file", "-a", demo.url, "-o", "json")).stdout,
    );
    const download = ["task", "download", task?.id ?? "", "-a", demo.url, "-d", folder];
    await runHere(...download);
    const replace = await hintOf("A2ACLI_ERR_INTERNAL", ...download);
    expect((await follow(replace)).stdout).toContain("report.csv");
    const path = join(folder, "card.json");
    await writeFile(path, JSON.stringify(cardAt(demo.url, { skills: [{ id: "s", name: "s" }] })));
    const show = await hintOf("A2ACLI_ERR_CARD_INVALID", "card", "get", "--validate", "-a", path);
    expect((await follow(show)).code).toBe(0);
  });
});

it("the next command goes on where the last one ended", async () => {
  const send = (text: string) => runHere("send", text, "-a", demo.url);
  await Promise.all(["fail", "fail", "fail", "task a"].map(send));
  const first = await runHere(
    "task",
    "list",
    "-a",
    demo.url,
    "--state",
    "failed",
    "--page-size",
    "2",
  );
  const second = await follow(labeled(first.stdout, "Next") ?? "");
  const listed = [first, second].flatMap(({ stdout }) => stdout.match(/^Task ID: .*$/gm) ?? []);
  expect(new Set(listed).size).toBe(3);
  expect(second.stdout).not.toContain("COMPLETED");

  const begun = await runHere("send", "wait 0.2", "-a", demo.url, "--async");
  const waited = await follow(labeled(begun.stdout, "Next") ?? "");
  expect(labeled(waited.stdout, "State")).toBe("TASK_STATE_COMPLETED");
  const further = await follow(labeled(waited.stdout, "Next") ?? "");
  expect(labeled(further.stdout, "Context ID")).toBe(labeled(begun.stdout, "Context ID"));
});
