import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import type { Agent, Handler } from "@parley/a2a";
import { createLog } from "@parley/a2a/node";
import { tryAgent } from "@parley/a2a/testing";
import { withTaskLog } from "./task-log.js";

function logged(run: Handler) {
  const lines: string[] = [];
  let now = Date.parse("2026-01-01T00:00:00Z");
  const log = createLog({ format: "text", write: (line) => void lines.push(line) });
  const described = agent({ name: "Echo", description: "Answers", run });
  return { lines, agent: withTaskLog(described, { log, now: () => (now += 250) }) as Agent };
}

it.each<[string, Handler]>([
  ["replied", () => "hello"],
  [
    "completed",
    async function* run() {
      yield "hello";
    },
  ],
  ["completed", () => ({ completed: "hello" })],
  ["input-required", () => ({ inputRequired: "When?" })],
  ["failed", ({ fail }) => fail("No")],
  ["rejected", ({ reject }) => reject("No")],
  [
    "failed",
    () => {
      throw new Error("a mistake");
    },
  ],
])("a run that %s is one line", async (end, run) => {
  const { lines, agent: given } = logged(run);
  await using trial = await tryAgent(given);
  const talk = await trial.send("hi");
  await talk.task().catch(() => undefined);
  const id = talk.taskId ?? "[\\w-]+";
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(
        ` run\\.ended +Echo ${end} after 0\\.25 s agent=Echo taskId=${id} outcome=${end} `,
      ),
    ),
  ]);
});

it("a canceled run is one line, and its handler comes to its end", async () => {
  let isOver = false;
  const { lines, agent: given } = logged(async ({ ask }) => {
    try {
      await ask("Shall I go on?");
    } finally {
      isOver = true;
    }
  });
  await using trial = await tryAgent(given);
  const talk = await trial.send("hi");
  await talk.question();
  expect(lines).toEqual([]);
  await talk.cancel();
  await talk.task();
  await expect.poll(() => lines).toEqual([expect.stringContaining(" canceled ")]);
  expect(isOver).toBe(true);
});

it("a handler that is left early comes to its end", async () => {
  let isOver = false;
  const { lines, agent: given } = logged(async function* run() {
    try {
      for (;;) yield "more than a task holds ".repeat(100);
    } finally {
      isOver = true;
    }
  });
  await using trial = await tryAgent(given, { settings: { maxTaskBytes: 10_000 } });
  await (await trial.send("hi")).task();
  await expect.poll(() => [isOver, lines.length]).toEqual([true, 1]);
});

it("a name cannot write to the terminal", async () => {
  const lines: string[] = [];
  const described = agent({ name: "A\u001B[2J\nB", description: "Answers", run: () => "hi" });
  const log = createLog({ format: "text", write: (line) => void lines.push(line) });
  await using trial = await tryAgent(withTaskLog(described, { log }) as Agent);
  await trial.send("hi");
  await expect
    .poll(() => lines)
    .toEqual([expect.stringMatching(/ A\uFFFD\[2J B replied after .* agent="A\uFFFD\[2J B" /)]);
});

it("agents by their paths are logged, too", () => {
  const described = agent({ name: "Echo", description: "Answers", run: () => "hi" });
  const log = { log: () => undefined };
  const several = withTaskLog({ "/a": described, "/b": { agent: described, auth: false } }, log);
  expect(several).toMatchObject({ "/a": { name: "Echo" }, "/b": { agent: { name: "Echo" } } });
});
