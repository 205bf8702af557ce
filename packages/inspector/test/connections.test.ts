import { afterAll, beforeAll, expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import type { CallAnswer, CallEvent, Connection, Hop, Refused } from "@parley/inspector/contract";
import { openTestPage } from "./support/inspector-client.js";
import type { TestPage } from "./support/inspector-client.js";

let server: Server;
let page: TestPage;
/** Lets the counting agent go on, one number at a time. */
let goOn: () => void = () => undefined;

const counting = agent({
  name: "Counting",
  description: "Counts to the number it is sent",
  async *run({ text }) {
    for (let one = 1; one <= Number(text); one += 1) {
      if (one === 6) await new Promise<void>((resolve) => (goOn = resolve));
      yield `${one} `;
    }
  },
});

beforeAll(async () => {
  server = await serve(counting, {
    port: 0,
    store: "memory:",
    grpc: { port: 0, inCard: true },
  });
  page = await openTestPage();
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await server.close();
});

test("connects to an agent, and says what its card offers and which interface it calls", async () => {
  const connection = await page.connect(server.url);
  expect(connection.card.name).toBe("Counting");
  expect(connection).toMatchObject({ version: "1.0", binding: "JSONRPC", secrets: [] });
  expect(JSON.parse(connection.cardText)).toMatchObject({ name: "Counting" });
  expect(connection.signature.status).toBe("absent");
  expect(connection.interfaces.filter(({ isChosen }) => isChosen)).toHaveLength(1);
  expect(connection.lint.map(({ severity }) => severity)).not.toContain("error");
});

test.each(["0.1", "0.2", "0.3", "1.0"] as const)(
  "streams in version %s, and records the frames as they were on the wire",
  async (version) => {
    const { id } = await page.connect(server.url, { version, binding: "JSONRPC" });
    const events = await page.stream(id, "3");
    const last = events.at(-1);
    expect(last?.kind).toBe("end");
    const texts = events.flatMap((one) =>
      one.kind === "event" ? (one.response.artifactUpdate?.artifact.parts ?? []) : [],
    );
    expect(texts.map((part) => ("text" in part ? part.text : "")).join("")).toBe("1 2 3 ");
    const [number = 0] = last?.kind === "end" ? last.hops : [];
    const hop = await page.ask<Hop>(`hops/${number}`);
    expect(hop).toMatchObject({
      version,
      binding: "JSONRPC",
      operation: "sendStreamingMessage",
      status: 200,
    });
    expect(hop.frames.some(({ kind, data }) => kind === "event" && data.includes("jsonrpc"))).toBe(
      true,
    );
    expect(JSON.parse(hop.requestBody ?? "")).toMatchObject({ jsonrpc: "2.0" });
    expect(hop.requestHeaders).toContainEqual(["accept-encoding", "identity"]);
  },
);

test.each(["0.3", "1.0"] as const)(
  "records the messages of gRPC %s as bytes and as JSON, and cuts its streams too",
  async (version) => {
    const { id } = await page.connect(server.url, { version, binding: "GRPC" });
    await page.ask(`connections/${id}/fault`, { kind: "cut", afterEvents: 3 });
    const events = await page.stream(id, "5");
    const last = events.at(-1);
    expect(last?.kind).toBe("end");
    const [number = 0] = last?.kind === "end" ? last.hops : [];
    const hop = await page.ask<Hop>(`hops/${number}`);
    expect(hop).toMatchObject({ binding: "GRPC", version, operation: "sendStreamingMessage" });
    expect(hop.url).toMatch(/^grpc:\/\/127\.0\.0\.1:\d+\/.*Service\/SendStreamingMessage$/);
    expect(hop.frames).toHaveLength(3);
    expect(hop.frames[0]).toMatchObject({
      kind: "message",
      hex: expect.stringMatching(/^[\da-f]+$/),
    });
    expect(JSON.parse(hop.frames[0]?.data ?? "")).toHaveProperty("task");
    expect(hop.error).toContain("the connection was cut");
    const resumed = events.flatMap((one) => (one.kind === "resumed" ? [one.resumption] : []));
    expect(resumed.at(-1)).toMatchObject({ by: "sequence", lost: 0, repeated: 0 });
  },
);

test("calls every interface of the card when it is asked, and says what each answered", async () => {
  const { id } = await page.connect(server.url);
  const { interfaces } = await page.ask<Pick<Connection, "interfaces">>(
    `connections/${id}/probe`,
    {},
  );
  expect(interfaces.length).toBeGreaterThan(2);
  for (const one of interfaces) {
    expect([one.binding, one.version, one.answered?.isWorking]).toEqual([
      one.binding,
      one.version,
      true,
    ]);
  }
});

test("answers an operation with one answer, and an agent's error with its code", async () => {
  const { id } = await page.connect(server.url);
  const listed = await page.ask<CallAnswer<"listTasks">>(`connections/${id}/call`, {
    operation: "listTasks",
    request: { pageSize: 2 },
  });
  expect("result" in listed && listed.result.tasks.length).toBe(2);
  expect(listed.hops).toHaveLength(1);
  const missing = await page.ask<CallAnswer>(`connections/${id}/call`, {
    operation: "getTask",
    request: { id: "none" },
  });
  expect(missing).toMatchObject({ error: { code: "TASK_NOT_FOUND" } });
});

test("names the field of a request that is wrong, and calls nobody", async () => {
  const { id } = await page.connect(server.url);
  const response = await page.request(`connections/${id}/call`, {
    method: "POST",
    body: JSON.stringify({ operation: "sendMessage", request: { message: { parts: "no" } } }),
  });
  const { error } = (await response.json()) as Refused;
  expect(error.code).toBe("INVALID_PARAMS");
  expect(JSON.stringify(error.details?.fieldViolations)).toContain("request.message");
});

test("cuts a stream, and proves that nothing was lost or came twice", async () => {
  const { id } = await page.connect(server.url);
  await page.ask(`connections/${id}/fault`, { kind: "cut", afterEvents: 3 });
  const events = await page.stream(id, "9", (event) => {
    if (event.kind === "resumed") goOn();
  });
  const resumed = events.flatMap((one) => (one.kind === "resumed" ? [one.resumption] : []));
  expect(resumed.length).toBeGreaterThanOrEqual(2);
  expect(resumed.at(-1)).toMatchObject({
    by: "sequence",
    lost: 0,
    repeated: 0,
    id: resumed[0]?.id,
  });
  const texts = events.flatMap((one) =>
    one.kind === "event" ? (one.response.artifactUpdate?.artifact.parts ?? []) : [],
  );
  expect(texts.map((part) => ("text" in part ? part.text : "")).join("")).toBe(
    "1 2 3 4 5 6 7 8 9 ",
  );
  await expect.poll(() => page.feed().some(({ kind }) => kind === "resumed")).toBe(true);
  const last = events.at(-1);
  const hops = last?.kind === "end" ? last.hops : [];
  const [sent, ...resumedBy] = await Promise.all(hops.map((hop) => page.ask<Hop>(`hops/${hop}`)));
  expect(sent).toMatchObject({ operation: "sendStreamingMessage" });
  expect(sent?.requestBody).toContain("SendStreamingMessage");
  expect(resumedBy.length).toBeGreaterThan(0);
  for (const hop of resumedBy) {
    expect(hop).toMatchObject({ operation: "subscribeToTask", version: "1.0" });
    expect(hop.requestBody).toContain("SubscribeToTask");
  }
});

/** The text of all artifacts among some events. */
function textIn(events: readonly CallEvent[]): string {
  const parts = events.flatMap((one) =>
    one.kind === "event" ? (one.response.artifactUpdate?.artifact.parts ?? []) : [],
  );
  return parts.map((part) => ("text" in part ? part.text : "")).join("");
}

async function stateOf(connection: string, id: string): Promise<string | undefined> {
  const answer = await page.ask<CallAnswer<"getTask">>(`connections/${connection}/call`, {
    operation: "getTask",
    request: { id },
  });
  return "result" in answer ? answer.result.status.state : undefined;
}

const faults = [
  ["is silent", { kind: "silence", ms: 50_000 }],
  ["is slow", { kind: "slow", everyMs: 50_000 }],
] as const;

test.each(faults)("holds a stream back while the fault %s, and loses nothing", async (_, fault) => {
  const { id } = await page.connect(server.url);
  const events: CallEvent[] = [];
  let taskId = "";
  const streamed = page.stream(id, "9", (event) => {
    events.push(event);
    if (event.kind === "event") taskId ||= event.response.task?.id ?? "";
  });
  await expect.poll(() => textIn(events)).toBe("1 2 3 4 5 ");
  await page.ask(`connections/${id}/fault`, fault);
  goOn();
  await expect.poll(() => stateOf(id, taskId)).toBe("TASK_STATE_COMPLETED");
  expect(textIn(events)).toBe("1 2 3 4 5 ");
  await page.ask(`connections/${id}/fault`, { kind: "none" });
  await streamed;
  expect(textIn(events)).toBe("1 2 3 4 5 6 7 8 9 ");
  expect(events.filter(({ kind }) => kind === "resumed")).toEqual([]);
});

test("says of a raw request which hop it sends again", async () => {
  const { id } = await page.connect(server.url);
  const { hops } = await page.ask<CallAnswer>(`connections/${id}/call`, {
    operation: "listTasks",
    request: { pageSize: 1 },
  });
  const [first = 0] = hops;
  const { method, url, requestHeaders, requestBody } = await page.ask<Hop>(`hops/${first}`);
  const { hop } = await page.ask<{ hop: number }>(`connections/${id}/raw`, {
    method,
    url,
    headers: requestHeaders,
    body: requestBody?.replace('"pageSize":1', '"pageSize":2'),
    resentFrom: first,
  });
  const again = await page.ask<Hop>(`hops/${hop}`);
  expect(again).toMatchObject({ resentFrom: first, status: 200 });
  expect(again.requestBody).toContain('"pageSize":2');
});

test("tells everything on one feed, numbered, from any number on", async () => {
  const all = page.feed();
  const numbers = all.map(({ number }) => number);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  const [first] = all;
  const response = await page.request(`events?after=${first?.number}`);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  while (!text.includes("data: ")) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(text).toContain(`id: ${(first?.number ?? 0) + 1}\n`);
});

test("says that there is a gap to a reader that comes from a backend before", async () => {
  const response = await page.request("events?after=7");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  while (!text.includes("data: ")) text += new TextDecoder().decode((await reader.read()).value);
  await reader.cancel();
  expect(text).toContain('"kind":"gap"');
});

test("says where it looked when nothing answers", async () => {
  const response = await page.request("connections", {
    method: "POST",
    body: JSON.stringify({ url: "http://127.0.0.1:9" }),
  });
  expect(response.status).toBe(502);
  const { error } = (await response.json()) as Refused;
  expect(error.code).toBe("UNAVAILABLE");
  expect(error.message).toContain("/.well-known/agent-card.json");
});
