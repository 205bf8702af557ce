import { once } from "node:events";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { createDeferred } from "../../../a2a/test/support/time/deferred.js";
import { runHere } from "../run-here.js";
import { documentOf, parley, startParley } from "./parley.js";
import { openScriptedAgent, taskIn } from "./scripted-agent.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

let demo: Server;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(() => demo[Symbol.asyncDispose]());

/** The labels of an output; throws where a line is neither `Label: value` nor within a block that an empty line ends. */
function labelsOf(text: string): readonly string[] {
  const labels: string[] = [];
  const lines = text.split("\n");
  expect(lines.pop()).toBe("");
  let isBlock = false;
  for (const line of lines) {
    if (isBlock) {
      isBlock = line !== "";
      continue;
    }
    if (line === "") continue;
    const [, label, value] = /^([A-Z][A-Za-z ]*):(?: (.*))?$/.exec(line) ?? [];
    if (label === undefined) throw new Error(`${JSON.stringify(line)} has no label`);
    labels.push(label);
    isBlock = value === undefined;
  }
  expect(isBlock).toBe(false);
  return labels;
}

describe("text", () => {
  it("is a label on each line, the same labels for the same command", async () => {
    const at = ["-a", demo.url];
    const sent = await runHere("send", "flight", ...at, "-o", "json");
    const id = documentOf.sent(sent.stdout).task?.id ?? "";
    const hook = ["task", "push-config", "create", id, "--url", "https://example.com/hook"];
    const config = documentOf.config((await runHere(...hook, ...at, "-o", "json")).stdout);
    const ids = ["Task ID", "Context ID", "State"];
    const expected: readonly (readonly [readonly string[], readonly string[]])[] = [
      [
        ["send", "echo a"],
        ["Message", "Text", "Context ID", "Next"],
      ],
      [
        ["send", "task a"],
        [...ids, "Artifact", "Text", "Next"],
      ],
      [
        ["send", "flight"],
        [...ids, "Message", "Text", "Next"],
      ],
      [
        ["send", "stream 2 1", "--stream"],
        [...ids, "State", "Artifact", "Text", "State", "Next"],
      ],
      [
        ["task", "get", id],
        [...ids, "Message", "Text", "Next"],
      ],
      [
        ["task", "subscribe", id],
        [...ids, "Message", "Text", "Next"],
      ],
      [
        ["task", "download", id],
        [...ids, "Next"],
      ],
      [
        ["task", "push-config", "get", id, config.id ?? ""],
        ["Task ID", "Configuration ID", "URL"],
      ],
      [
        ["task", "push-config", "delete", id, config.id ?? ""],
        ["Task ID", "Deleted"],
      ],
      [
        ["task", "cancel", id],
        [...ids, "Next"],
      ],
    ];
    for (const [args, labels] of expected) {
      const { code, stdout, stderr } = await runHere(...args, ...at);
      expect([args, code, stderr]).toEqual([args, 0, ""]);
      expect([args, labelsOf(stdout)]).toEqual([args, labels]);
    }
    const begun = labelsOf((await runHere("send", "wait 1", "--async", ...at)).stdout);
    expect([begun.slice(0, 3), begun.at(-1)]).toEqual([ids, "Next"]);
    labelsOf((await runHere("card", "get", ...at)).stdout);
    labelsOf((await runHere("task", "list", ...at)).stdout);
    labelsOf((await runHere("config", "show")).stdout.replaceAll(/^[a-z\d-]+:/gm, "Option:"));
  });
});

describe("JSON", () => {
  it("is one document, whatever the environment says of streams", async () => {
    const send = ["send", "stream 2 1", "-a", demo.url, "-o", "json"];
    const { stdout } = await parley(send, { env: { A2ACLI_STREAM: "1" } });
    expect(documentOf.sent(stdout).task?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("has no control characters that a terminal obeys, and stays what the agent said", async () => {
    const text = "\u009B31mred\u007F \u001B]0;title\u0007";
    await using evil = await openScriptedAgent({
      card: { name: `Evil${text}` },
      answer: ({ method }) => {
        if (method === "GetTask") return { error: { code: -32_001, message: `No ${text}` } };
        return {
          task: taskIn("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text }] }] }),
        };
      },
    });
    const at = ["-a", evil.url, "-o", "json"];
    const [sent, streamed, card, refused] = await Promise.all([
      runHere("send", "hi", ...at),
      runHere("send", "hi", "--stream", ...at),
      runHere("card", "get", ...at),
      runHere("task", "get", "t", ...at),
    ]);
    for (const { stdout, stderr } of [sent, streamed, card, refused]) {
      expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}/u);
    }
    expect(documentOf.sent(sent.stdout).task?.artifacts?.[0]?.parts).toEqual([{ text }]);
    expect(documentOf.card(card.stdout).name).toBe(`Evil${text}`);
    expect(documentOf.error(refused.stdout).message).toContain(text);
  });

  it("has an event on each line with --stream, in every command that takes it", async () => {
    const at = ["-a", demo.url, "-o", "json"];
    const sent = documentOf.sent((await runHere("send", "flight", ...at)).stdout);
    const id = sent.task?.id ?? "";
    await runHere("send", "task a", ...at);
    for (const command of [
      ["send", "flight", "--async"],
      ["task", "get", id],
      ["task", "subscribe", id],
      ["task", "cancel", id],
    ]) {
      const { stdout } = await runHere(...command, "--stream", ...at);
      const events = documentOf.events(stdout);
      expect([command, events.at(-1)?.task?.contextId]).toEqual([command, expect.any(String)]);
    }
    const all = ["task", "list", "--all", "--page-size", "1"];
    const [listed, lines] = await Promise.all([
      runHere(...all, ...at),
      runHere(...all, "--stream", ...at),
    ]);
    const { tasks, nextPageToken, totalSize } = documentOf.tasks(listed.stdout);
    expect([tasks.length, nextPageToken]).toEqual([totalSize, ""]);
    expect(tasks.length).toBeGreaterThan(2);
    const events = documentOf.events(lines.stdout);
    expect(events.map(({ task }) => task?.id)).toEqual(tasks.map((task) => task.id));
  });

  it("is written line by line while the agent works", async () => {
    const release = createDeferred<void>();
    const slow = agent({
      name: "Slow",
      description: "Waits between two words",
      async *run() {
        yield "first";
        await release.promise;
        yield "second";
      },
    });
    await using server = await serve(slow, { port: 0, store: createMemoryStore() });
    const child = startParley(["send", "hi", "-a", server.url, "--stream", "-o", "json"]);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    await expect.poll(() => stdout).toMatch(/"first".*\n$/);
    expect(child.exitCode).toBe(null);
    release.resolve();
    await once(child, "close");
    const events = documentOf.events(stdout);
    expect(events.at(-1)?.statusUpdate).toMatchObject({
      taskId: events[0]?.task?.id,
      contextId: events[0]?.task?.contextId,
      status: { state: "TASK_STATE_COMPLETED" },
    });
  });
});

it("a reader that has read enough ends the command without a word", async () => {
  const command = `"${process.execPath}" "${main}" send "stream 2000 0" -a ${demo.url} --stream -o json | head -n 1`;
  const shell = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await once(shell, "close");
  expect(stderr).toBe("");
  expect(documentOf.events(stdout)).toHaveLength(1);
});
