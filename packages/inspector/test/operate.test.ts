import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createInspector } from "@parley/inspector";
import type {
  Capabilities,
  DeadLetter,
  DeadLetters,
  Hop,
  HopPage,
  LogPage,
  Overview,
  Refused,
  TaskList,
} from "@parley/inspector/contract";
import { letIn } from "./support/inspector-client.js";
import type { TestPage } from "./support/inspector-client.js";

const store = createMemoryStore();
const audited: string[] = [];
let server: Server;
let page: TestPage;

const worker = agent({
  name: "Worker",
  description: "Works until it is canceled, or asks, or says what it hears",
  capabilities: { pushNotifications: true },
  async *run({ text, signal, ask }) {
    if (text === "ask") yield `you said ${(await ask("What?")).parts.length}`;
    else if (text === "work") {
      yield { status: "working" };
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      );
    } else yield text;
  },
});

beforeAll(async () => {
  const inspector = createInspector({ port: 0, stuck: { silentMs: -1 } });
  server = await serve(worker, {
    port: 0,
    store,
    push: { allowPrivate: true },
    settings: { maxPushAttempts: 1 },
    inspector: {
      watch: (handle) => inspector.watch(handle),
      async open(inspected) {
        const opened = await inspector.open(inspected);
        page = await letIn(opened);
        return opened;
      },
    },
    audit: { record: ({ reason }) => reason !== undefined && audited.push(reason) },
  });
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await server.close();
});

/** Sends a message over the server's port, as any caller does. */
async function send(text: string, more: object = {}): Promise<string> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  const response = await fetch(server.url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "A2A-Version": "1.0",
      Authorization: "Bearer canary-1234",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "SendMessage",
      params: { message, configuration: { returnImmediately: true, ...more } },
    }),
  });
  const { result } = (await response.json()) as { result: { task: { id: string } } };
  return result.task.id;
}

test("says what it can do beside a server", async () => {
  expect(await page.ask<Capabilities>("capabilities")).toMatchObject({
    mode: "store",
    agents: [{ name: "Worker", path: "/", url: server.url }],
    canCall: true,
    canConnect: false,
    canRead: true,
    canOperate: true,
    canCancel: true,
    url: server.url,
  });
});

test("calls its own agents in its process, and nobody else", async () => {
  const { id } = await page.connect(server.url);
  const events = await page.stream(id, "hello");
  expect(JSON.stringify(events)).toContain("hello");
  for (const url of [
    "http://127.0.0.1:9",
    "http://169.254.169.254",
    "file:///etc/passwd",
    server.url.replace("127.0.0.1", "localhost"),
  ]) {
    const response = await page.request("connections", {
      method: "POST",
      body: JSON.stringify({ url }),
    });
    expect([url, response.status]).toEqual([url, 403]);
  }
});

test("records what callers exchange with the server, without their secrets", async () => {
  const taskId = await send("recorded");
  const { hops } = await page.ask<HopPage>("hops");
  const received = hops.find((hop) => hop.direction === "received" && hop.taskId === taskId);
  expect(received).toMatchObject({
    operation: "sendMessage",
    version: "1.0",
    binding: "JSONRPC",
    status: 200,
  });
  const hop = await page.ask<Hop>(`hops/${received?.id}`);
  expect(hop.requestBody).toContain("recorded");
  expect(hop.responseBody).toContain(taskId);
  expect(hop.requestHeaders).toContainEqual(["authorization", "[redacted]"]);
});

test("records requests to agents at paths of their own with operation and version", async () => {
  const inspector = createInspector({ port: 0, receiverPort: false });
  let watching: TestPage | undefined;
  await using mounted = await serve(
    { "/deep": worker, "/deep/er": agent({ name: "Deeper", description: "x", run: () => "y" }) },
    {
      port: 0,
      store: "memory:",
      inspector: {
        watch: (handle) => inspector.watch(handle),
        async open(inspected) {
          const opened = await inspector.open(inspected);
          watching = await letIn(opened);
          return opened;
        },
      },
    },
  );
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<unknown> => {
    await (await fetch(mounted.url + path, { headers })).text();
    const { hops = [] } = (await watching?.ask<HopPage>("hops")) ?? {};
    return hops.findLast(({ direction }) => direction === "received");
  };
  const binding = "HTTP+JSON";
  const recent = { "A2A-Version": "1.0" };
  expect(await ask("/deep/tasks", recent)).toMatchObject({
    operation: "listTasks",
    version: "1.0",
    binding,
  });
  expect(await ask("/deep/er/tasks/none", recent)).toMatchObject({
    operation: "getTask",
    version: "1.0",
    binding,
  });
  expect(await ask("/deep/v1/tasks/none")).toMatchObject({
    operation: "getTask",
    version: "0.3",
    binding,
  });
  await watching?.[Symbol.asyncDispose]();
});

test("lists tasks over agents and states, and pages through them in both orders", async () => {
  const ids = [await send("one"), await send("two"), await send("three")];
  const read = async (order: string): Promise<string[]> => {
    const found: string[] = [];
    let after = "";
    do {
      const list = await page.ask<TaskList>(`tasks?limit=2&order=${order}&after=${after}`);
      expect(list.tasks.length).toBeLessThanOrEqual(2);
      found.push(...list.tasks.map(({ taskId }) => taskId));
      after = list.next ?? "";
    } while (after !== "");
    return found;
  };
  const latest = await read("latest");
  expect(latest).toEqual(expect.arrayContaining(ids));
  expect(await read("oldest")).toEqual([...latest].reverse());
  const none = await page.ask<TaskList>("tasks?state=TASK_STATE_FAILED,TASK_STATE_REJECTED");
  expect(none).toEqual({ tasks: [], totalSize: 0 });
  const wrong = await page.request("tasks?state=BAD");
  expect(((await wrong.json()) as Refused).error.message).toContain("state has to be");
});

test("reads the log of a task, private entries included, page by page", async () => {
  const taskId = await send("logged");
  const whole = await page.ask<LogPage>(`tasks/${taskId}/log`);
  expect(whole.entries.map(({ event }) => event.kind)).toContain("run-started");
  expect(whole.entries.every(({ at }) => at > 0)).toBe(true);
  const first = await page.ask<LogPage>(`tasks/${taskId}/log?limit=1`);
  expect(first).toMatchObject({ hasMore: true, entries: [{ sequence: 1 }] });
  expect((await page.request("tasks/none/log")).status).toBe(404);
});

test("finds tasks of other agents and contexts by the trace that they share", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const post = async (url: string, text: string, parent?: string): Promise<string> => {
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "A2A-Version": "1.0",
        ...(parent !== undefined && { traceparent: parent }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } }),
    });
    const { result } = (await response.json()) as { result: { task: { id: string } } };
    return result.task.id;
  };
  // A run hands its trace on to the agent that it calls.
  const calling = agent({
    name: "Calling",
    description: "Lets another agent work",
    async *run({ trace }) {
      yield await post(server.url, "called", trace?.traceparent);
    },
  });
  await using other = await serve(calling, { port: 0, store, log: { level: "error" } });
  const parent = await post(other.url, "call", traceparent);
  const { entries } = await page.ask<LogPage>(`tasks/${parent}/log`);
  const child = entries.flatMap(({ event }) =>
    event.kind === "artifact-updated" ? [event.artifact.parts[0]?.text] : [],
  )[0];
  const relatives = async (id: string | undefined): Promise<readonly string[]> =>
    (await page.ask<Pick<TaskList, "tasks">>(`tasks/${id}/relatives`)).tasks.map(
      ({ taskId }) => taskId,
    );
  expect(await relatives(parent)).toEqual([child]);
  expect(await relatives(child)).toEqual([parent]);
  expect(await relatives(await post(server.url, "alone"))).toEqual([]);
});

test("shows what is stuck and what waits, and cancels as an operator, which is audited", async () => {
  const working = await send("work");
  const asking = await send("ask");
  const find = async (): Promise<Overview> => page.ask<Overview>("overview");
  await expect
    .poll(async () => (await find()).stuck.map(({ record }) => record.taskId))
    .toContain(working);
  const overview = await find();
  expect(overview.stuck.find(({ record }) => record.taskId === working)).toMatchObject({
    reason: "silent",
  });
  expect(overview.waiting.map(({ taskId }) => taskId)).toContain(asking);
  expect(overview.nodes).toHaveLength(1);
  const [found] = overview.agents;
  expect(found).toMatchObject({
    name: "Worker",
    runs: { active: 1, queued: 0 },
    push: { waiting: 0, buried: 0 },
  });
  expect(found?.counts["TASK_STATE_INPUT_REQUIRED"]).toBe(1);
  expect(await page.ask(`tasks/${working}/cancel`, {})).toEqual({ state: "TASK_STATE_CANCELED" });
  expect(audited).toContainEqual(expect.stringContaining(working));
});

test("says that a handler ignores a cancel, until the server ends its task without it", async () => {
  const deaf = agent({
    name: "Deaf",
    description: "Works, whatever it is asked",
    async *run() {
      yield { status: "working" };
      await new Promise(() => undefined);
    },
  });
  let shown: TestPage | undefined;
  const inspector = createInspector({ port: 0, receiverPort: false, stuck: { cancelMs: -1 } });
  await using ignoring = await serve(deaf, {
    port: 0,
    store: "memory:",
    settings: { cancelGraceMs: 2000, stopGraceMs: 100 },
    inspector: {
      watch: (handle) => inspector.watch(handle),
      async open(inspected) {
        const opened = await inspector.open(inspected);
        shown = await letIn(opened);
        return opened;
      },
    },
  });
  const caller = await connect(ignoring.url);
  const { task } = await caller.send("work", { returnImmediately: true });
  const canceling = caller.cancel(task?.id ?? "");
  const reasons = async (): Promise<unknown> =>
    (await shown?.ask<Overview>("overview"))?.stuck.map(({ reason, explanation }) => [
      reason,
      /`signal`.*`cancelGraceMs`/.test(explanation),
    ]);
  await expect.poll(reasons, { interval: 20 }).toEqual([["cancel-ignored", true]]);
  expect((await canceling).status.state).toBe("TASK_STATE_CANCELED");
  expect(await reasons()).toEqual([]);
  await shown?.[Symbol.asyncDispose]();
});

test("tells on the feed that a task has changed", async () => {
  const taskId = await send("told");
  await expect
    .poll(() => page.feed().some((item) => item.kind === "task" && item.taskId === taskId))
    .toBe(true);
});

test("lists dead letters, brings them back and discards them", async () => {
  let isBroken = true;
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    if (!isBroken) arrived.push(request.url ?? "");
    request.resume().on("end", () => response.writeHead(isBroken ? 500 : 200).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  const bury = async (text: string): Promise<DeadLetter[]> => {
    isBroken = true;
    const url = `http://127.0.0.1:${port}/${text}`;
    const taskId = await send(text, { taskPushNotificationConfig: { url } });
    const own = async (): Promise<DeadLetter[]> =>
      (await page.ask<DeadLetters>("dead")).deliveries.filter((one) => one.taskId === taskId);
    await expect.poll(async () => (await store.countDeliveries("Worker")).waiting).toBe(0);
    await expect.poll(async () => (await own()).length).toBeGreaterThan(0);
    isBroken = false;
    return own();
  };
  const count = async (): Promise<number> =>
    (await page.ask<DeadLetters>("dead")).deliveries.length;
  try {
    const revived = await bury("revived");
    expect(revived[0]).toMatchObject({ agent: "Worker", reason: expect.stringContaining("500") });
    const all = await page.ask<{ count: number }>("dead/revive", { agent: "Worker" });
    expect(all).toEqual({ count: revived.length });
    await expect.poll(() => arrived).toEqual(revived.map(() => "/revived"));
    await expect.poll(count).toBe(0);

    const [first, ...others] = await bury("discarded");
    const one = { agent: "Worker", delivery: first };
    expect(await page.ask("dead/discard", one)).toEqual({ count: 1 });
    expect(await count()).toBe(others.length);
    expect(await page.ask("dead/revive", one)).toEqual({ count: 0 });
    expect(await page.ask("dead/discard", { agent: "Worker" })).toEqual({ count: others.length });
    expect(await count()).toBe(0);
    expect(arrived).not.toContain("/discarded");
    expect(audited).toContain("the inspector discards all dead letters of Worker");
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
  const wrong = await page.request("dead/discard", {
    method: "POST",
    body: JSON.stringify({ agent: "Worker", delivery: { taskId: 1 } }),
  });
  expect(wrong.status).toBe(400);
});

test("ends the lease of a node that is dead", async () => {
  await store.renewNode("dead-node", 60_000, { agent: "Worker", revision: "1", version: "1" });
  expect(await page.ask("nodes/dead-node/release", {})).toEqual({ released: true });
  expect(await store.isLive("dead-node")).toBe(false);
  expect((await page.request("nodes/none/release", { method: "POST", body: "{}" })).status).toBe(
    404,
  );
});

test("reads a store alone, without a server: it cancels nothing and calls nobody", async () => {
  const alone = await letIn(await createInspector({ port: 0, store }).open());
  await using _ = alone;
  const capabilities = await alone.ask<Capabilities>("capabilities");
  expect(capabilities).toMatchObject({
    mode: "store",
    canCall: false,
    canCancel: false,
    canRead: true,
  });
  const { tasks } = await alone.ask<TaskList>("tasks?limit=1");
  expect(tasks[0]?.agent).toBe("Worker");
  const canceled = await alone.request(`tasks/${tasks[0]?.taskId}/cancel`, {
    method: "POST",
    body: "{}",
  });
  expect(canceled.status).toBe(409);
  expect((await alone.request("connections", { method: "POST", body: "{}" })).status).toBe(405);
});
