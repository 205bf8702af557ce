import { describe, expect, it } from "vitest";
import { openEvil } from "./evil-server.js";
import type { Flood } from "./evil-server.js";
import { runVictim } from "./run-victim.js";
import type { VictimTask } from "./run-victim.js";

const mebibyte = 1024 * 1024;
const maxAnswerBytes = 4 * mebibyte;
const sse = "text/event-stream";
const long = "x".repeat(64 * 1024);

/** What the program has anyway, the limit, and what reading takes. */
const maxMegabytes = 256;

type Attack = readonly [
  name: string,
  victim: VictimTask["call"] | Omit<VictimTask, "url">,
  limit: "maxAnswerBytes" | "maxEventBytes" | "maxCardBytes",
  flood: Flood,
];

const attacks: readonly Attack[] = [
  ["a line that never ends", "watch", "maxEventBytes", { type: sse, start: "data: ", again: long }],
  ["a comment that never ends", "watch", "maxEventBytes", { type: sse, start: ":", again: long }],
  [
    "lines of data that never become an event",
    "watch",
    "maxEventBytes",
    { type: sse, again: `data: ${"x".repeat(1000)}\n`.repeat(64) },
  ],
  [
    "empty lines of data that never become an event",
    "watch",
    "maxEventBytes",
    { type: sse, again: "data:\n".repeat(10_000) },
  ],
  [
    "an event that swells",
    "watch",
    "maxEventBytes",
    { type: sse, start: "data: ", again: long, isGzip: true },
  ],
  [
    "the same, answering a message",
    "text",
    "maxEventBytes",
    { type: sse, start: "data: ", again: long },
  ],
  [
    "JSON that never ends",
    "task",
    "maxAnswerBytes",
    { start: "[", again: "[]," + long.replaceAll("x", " ") },
  ],
  [
    "JSON that never ends, over REST",
    { call: "task", binding: "HTTP+JSON" },
    "maxAnswerBytes",
    { start: '"', again: long },
  ],
  [
    "JSON that never ends, in 0.3",
    { call: "task", version: "0.3" },
    "maxAnswerBytes",
    { start: '"', again: long },
  ],
  ["an answer that swells", "task", "maxAnswerBytes", { start: '"', again: long, isGzip: true }],
  ["an answer to a message that never ends", "send", "maxAnswerBytes", { start: '"', again: long }],
  ["an error that never ends", "task", "maxAnswerBytes", { status: 500, start: '"', again: long }],
  ["a refusal that never ends", "task", "maxAnswerBytes", { status: 401, start: '"', again: long }],
  ["a card that never ends", "card", "maxCardBytes", { start: '{"name":"', again: long }],
  ["a card that swells", "card", "maxCardBytes", { start: '{"name":"', again: long, isGzip: true }],
  [
    "an error in place of a card that never ends",
    "card",
    "maxCardBytes",
    { status: 500, again: long },
  ],
];

describe("a program with 64 MB lives, refuses at once and closes the connection:", () => {
  it.each(attacks)("%s", async (_, victim, limit, flood) => {
    await using evil = await openEvil(flood);
    const task = typeof victim === "string" ? { call: victim } : victim;
    const report = await runVictim({ ...task, url: evil.url, options: { maxAnswerBytes } });
    expect(report.died).toBeUndefined();
    expect(report.error).toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      details: { metadata: { problem: limit } },
    });
    expect(report.error?.message).toContain(limit);
    expect(report.megabytes).toBeLessThan(maxMegabytes);
    // The client repeats neither the call nor the connection.
    expect(evil.requests).toBe(1);
    await expect.poll(() => evil.open).toBe(0);
  });
});

const event = (result: object): string =>
  `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result })}\n\n`;

const ids = { taskId: "t", contextId: "c" };

describe("a program with 64 MB refuses what would grow beyond the limit in its memory:", () => {
  it.each<[string, VictimTask["call"], string, Flood]>([
    [
      "a task that grows by one chunk after the other",
      "text",
      "maxAnswerBytes",
      {
        type: sse,
        again: event({
          artifactUpdate: {
            ...ids,
            append: true,
            artifact: { artifactId: "a", parts: [{ text: "x".repeat(1000) }] },
          },
        }).repeat(10),
      },
    ],
    [
      "a task that says one thing after the other",
      "text",
      "maxAnswerBytes",
      {
        type: sse,
        again: event({
          statusUpdate: {
            ...ids,
            status: {
              state: "TASK_STATE_WORKING",
              message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "x".repeat(1000) }] },
            },
          },
        }).repeat(10),
      },
    ],
    [
      "an answer of very many values",
      "task",
      "maxAnswerBytes",
      { start: `{"result":[{}${",{}".repeat(1_300_000)}` },
    ],
    ["an answer of very deep values", "task", "maxAnswerBytes", { start: "[".repeat(4_000_000) }],
    [
      "an event of very many values",
      "watch",
      "maxEventBytes",
      { type: sse, start: `data: {"result":[{}${",{}".repeat(1_300_000)}]}\n\n`, again: ":\n\n" },
    ],
  ])("%s", async (_, call, limit, flood) => {
    await using evil = await openEvil(flood);
    const options = { maxAnswerBytes };
    const report = await runVictim({ call, url: evil.url, options });
    expect(report.died).toBeUndefined();
    expect(report.error).toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      details: { metadata: { problem: limit } },
    });
    expect(report.megabytes).toBeLessThan(maxMegabytes);
    expect(evil.requests).toBe(1);
    await expect.poll(() => evil.open).toBe(0);
  });
});

describe("a program with 64 MB signs in, and verifies cards, without reading all that comes:", () => {
  const tooMany = /more than 1048576 bytes/;
  const noKey = /the key "k" could not be looked up/;
  it.each<[string, VictimTask["call"], RegExp, Flood]>([
    ["metadata that never end", "token", tooMany, { start: '{"issuer":"', again: long }],
    ["metadata that swell", "token", tooMany, { start: '{"issuer":"', again: long, isGzip: true }],
    ["a key set that never ends", "keys", noKey, { start: '{"keys":"', again: long }],
    ["a key set that swells", "keys", noKey, { start: '{"keys":"', again: long, isGzip: true }],
  ])("%s", async (_, call, message, flood) => {
    await using evil = await openEvil(flood);
    const report = await runVictim({ call, url: evil.url });
    expect(report.died).toBeUndefined();
    expect(report.error?.message).toMatch(message);
    expect(report.megabytes).toBeLessThan(maxMegabytes);
    await expect.poll(() => evil.open).toBe(0);
  });
});

it.each<[VictimTask["call"], string, Flood]>([
  ["task", "maxAnswerBytes", { start: '"', again: long }],
  ["watch", "maxEventBytes", { type: sse, start: "data: ", again: long }],
])(
  "a program with 256 MB lives with the limits that it has unless it sets others: %s",
  async (call, limit, flood) => {
    await using evil = await openEvil(flood);
    const report = await runVictim({ call, url: evil.url }, 256);
    expect(report.died).toBeUndefined();
    expect(report.error?.message).toBe(`the answer exceeds ${limit} of connect(): 67108864 bytes`);
    expect(report.megabytes).toBeLessThan(512);
  },
);
