import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, RemoteAgent } from "@parley/a2a/client";
import { bareCard } from "../bare-card.js";
import { ManualTimers } from "../../support/time/manual-timers.js";
import { openEvil } from "./evil-server.js";

const completed = { state: "TASK_STATE_COMPLETED" };
const working = { state: "TASK_STATE_WORKING" };

const streaming = { capabilities: { streaming: true } } satisfies Partial<AgentCard>;

function connectTo(url: string, options: ConnectOptions = {}): Promise<RemoteAgent> {
  return connect(bareCard(url, "JSONRPC", streaming), options);
}

async function listOf<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

function watch(agent: RemoteAgent): Promise<unknown> {
  return listOf(agent.watch("t"));
}

const ways: readonly (readonly [string, (agent: RemoteAgent) => Promise<unknown>])[] = [
  ["a read", (agent) => agent.task("t")],
  ["a message", (agent) => agent.send("hi", { returnImmediately: true })],
  ["a stream", (agent) => agent.send("hi")],
  ["a watched task", watch],
];

/** Answers as the operation wants it: with JSON, or with events. */
function reply(request: IncomingMessage, response: ServerResponse, ...results: object[]): void {
  const isStream = request.headers.accept === "text/event-stream";
  response.setHeader("Content-Type", isStream ? "text/event-stream" : "application/json");
  for (const result of results) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...result });
    response.write(isStream ? `data: ${text}\n\n` : text);
  }
  response.end();
}

describe.each(ways)("the answer to %s", (name, call) => {
  it("is refused at once when it has another id than the request", async () => {
    const task = { id: "t", contextId: "c", status: completed };
    await using evil = await openEvil((request, response) => {
      const result = name === "a read" ? task : { task };
      reply(request, response, { id: 7, result });
    });
    await expect(call(await connectTo(evil.url))).rejects.toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      message: "the answer to request 1 has another id",
      details: { metadata: { problem: "id" } },
    });
    expect(evil.requests).toBe(1);
  });

  it("is refused at once when it is a circle of redirects", async () => {
    await using evil = await openEvil((request, response) => {
      response.writeHead(307, { Location: request.url === "/a" ? "/b" : "/a" }).end();
    });
    await expect(call(await connectTo(evil.url))).rejects.toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      message: expect.stringContaining("redirects without end"),
      details: { metadata: { problem: "redirects" } },
    });
    // The client's own request, and as many redirects as fetch follows, once.
    expect(evil.requests).toBe(22);
  });
});

it("a card behind a circle of redirects is refused at once", async () => {
  await using evil = await openEvil((_, response) => {
    response.writeHead(302, { Location: "/again" }).end();
  });
  await expect(connect(evil.url)).rejects.toMatchObject({
    code: "INVALID_AGENT_RESPONSE",
    message: expect.stringContaining("redirects without end"),
  });
  expect(evil.requests).toBe(22);
});

describe("an event of another task", () => {
  const other = { taskId: "x", contextId: "c", status: working };
  const isOther = {
    code: "INVALID_AGENT_RESPONSE",
    message: "the stream of task t has an event of task x",
    details: { metadata: { problem: "task" } },
  };

  it.each([
    ["as the first one, the whole task", [{ task: { ...other, id: "x" } }]],
    ["as the first one", [{ statusUpdate: other }]],
    [
      "after one of the task",
      [{ task: { id: "t", contextId: "c", status: working } }, { statusUpdate: other }],
    ],
  ])("is refused at once in the stream of a task: %s", async (_, results) => {
    let streams = 0;
    await using evil = await openEvil((request, response) => {
      if (request.headers.accept !== "text/event-stream") {
        reply(request, response, { result: { id: "t", contextId: "c", status: working } });
        return;
      }
      streams += 1;
      reply(request, response, ...results.map((result) => ({ result })));
    });
    const timers = new ManualTimers().rush();
    const options = { clock: timers, random: timers.random };
    await expect(watch(await connectTo(evil.url, options))).rejects.toMatchObject(isOther);
    expect(streams).toBe(1);
  });

  it("is refused when the task is polled", async () => {
    await using evil = await openEvil((request, response) => {
      const task = { id: "t", contextId: "c", status: working };
      const isSend = request.headers.accept === "text/event-stream";
      reply(request, response, { result: isSend ? { task } : { ...task, id: "x" } });
    });
    const timers = new ManualTimers().rush();
    const options = { clock: timers, random: timers.random };
    await expect((await connectTo(evil.url, options)).send("hi")).rejects.toMatchObject(isOther);
  });

  it("makes a stream that a message has begun ask for its own task, once", async () => {
    let streams = 0;
    await using evil = await openEvil((request, response) => {
      const task = { id: "t", contextId: "c", status: working };
      if (request.headers.accept !== "text/event-stream") {
        reply(request, response, { result: task });
        return;
      }
      streams += 1;
      reply(request, response, { result: { task } }, { result: { statusUpdate: other } });
    });
    const timers = new ManualTimers().rush();
    const options = { clock: timers, random: timers.random };
    await expect((await connectTo(evil.url, options)).send("hi")).rejects.toMatchObject(isOther);
    expect(streams).toBe(2);
  });
});

describe("an answer whose rest does not come", () => {
  it.each(ways.slice(0, 2))("fails %s when the agent is silent for long", async (_, call) => {
    await using evil = await openEvil((_request, response) => {
      response.setHeader("Content-Type", "application/json");
      response.write('{"jsonrpc":"2.0","id":1,"result":');
    });
    const agent = await connectTo(evil.url, { patience: { stallMs: 50, maxAttempts: 1 } });
    await expect(call(agent)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "nothing was heard of the agent for 50 ms",
    });
    await expect.poll(() => evil.open).toBe(0);
  });

  it("fails a refusal, too", async () => {
    await using evil = await openEvil((_request, response) => {
      response.writeHead(401).write("who are");
    });
    const agent = await connectTo(evil.url, { patience: { stallMs: 50 } });
    await expect(agent.send("hi", { returnImmediately: true })).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    await expect.poll(() => evil.open).toBe(0);
  });

  it("is waited for while it comes, however long that takes", async () => {
    const text = JSON.stringify({ result: { id: "t", contextId: "c", status: completed } });
    const timers = new ManualTimers();
    await using evil = await openEvil((_request, response) => {
      response.setHeader("Content-Type", "application/json");
      void (async () => {
        for (const letter of text) {
          response.write(letter);
          await new Promise((resolve) => setTimeout(resolve, 1));
          await timers.advance(100);
        }
        response.end();
      })();
    });
    const options = { clock: timers, patience: { stallMs: 2000, maxAttempts: 1 } };
    const agent = await connectTo(evil.url, options);
    expect(await agent.task("t")).toMatchObject({ id: "t" });
    expect(timers.now()).toBeGreaterThan(4000);
  });
});

it.each(["301", "99999999999", "9".repeat(400)])(
  "an agent that asks to wait for %s seconds is not waited for",
  async (seconds) => {
    await using evil = await openEvil((_, response) => {
      response.writeHead(503, { "Retry-After": seconds }).end();
    });
    const agent = await connectTo(evil.url);
    await expect(agent.task("t")).rejects.toMatchObject({
      code: "UNAVAILABLE",
      details: { retryAfterSeconds: Number(seconds) },
    });
    expect(evil.requests).toBe(1);
  },
);

describe("pages of a list that lead in a circle are an error:", () => {
  it.each([1, 2, 3, 7])("of %i", async (length) => {
    let page = 0;
    await using evil = await openEvil((request, response) => {
      page += 1;
      const nextPageToken = `page ${page % length}`;
      reply(request, response, { result: { tasks: [], nextPageToken, pageSize: 1, totalSize: 1 } });
    });
    const agent = await connectTo(evil.url);
    await expect(listOf(agent.tasks())).rejects.toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      message: "the pages lead in a circle",
    });
    expect(evil.requests).toBeLessThan(4 * length + 2);
  });

  it("not where there are many", async () => {
    let page = 0;
    await using honest = await openEvil((request, response) => {
      page += 1;
      const nextPageToken = page < 100 ? `page ${page}` : "";
      reply(request, response, { result: { tasks: [], nextPageToken, pageSize: 1, totalSize: 1 } });
    });
    expect(await listOf((await connectTo(honest.url)).tasks())).toEqual([]);
    expect(honest.requests).toBe(100);
  });
});
