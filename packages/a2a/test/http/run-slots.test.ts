import { text } from "node:stream/consumers";
import { status } from "@grpc/grpc-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { A2AError } from "@parley/a2a";
import type { ServeOptions, Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import type { Agent } from "@parley/a2a/server";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { openEvents, take } from "../support/clients/event-client.js";
import {
  jsonOf,
  open,
  rpc,
  say,
  sayEarlier,
  sayOldest,
  send,
} from "../support/clients/http-client.js";
import type { Answer, SendOptions } from "../support/clients/http-client.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";
import { createDeferred } from "../support/time/deferred.js";

/** Answers "hello" at once; holds what else it is told until the gate opens: "task" as a task. */
function openGated() {
  const gate = createDeferred<void>();
  const begun: string[] = [];
  const gated: Agent = agent({
    name: "Gated",
    description: "Waits at a gate",
    async *run({ text: words }) {
      if (words === "hello") return "Hi";
      begun.push(words);
      if (words === "task") yield "begun";
      await gate.promise;
      return "done";
    },
  });
  const serveIt = (options: ServeOptions = {}): Promise<Server> =>
    openServer({ agent: gated, grpc: { port: 0 }, ...options });
  return { gate, begun, serveIt };
}

/** Sends to the base URL from an address of this machine. */
async function sendFrom(localAddress: string, url: string, options: SendOptions): Promise<Answer> {
  const incoming = await open(url, "POST /", options, { localAddress });
  const { statusCode = 0, headers } = incoming;
  return { status: statusCode, headers, text: await text(incoming) };
}

const later = { returnImmediately: true };
const replyOf = (answer: Answer): unknown => jsonOf(answer).result?.message?.parts;
const stateOf = (answer: Answer): unknown => jsonOf(answer).result?.task?.status.state;
const hi = [{ text: "Hi" }];

/** `Bearer name`: everybody is who it says. */
const auth = authenticatorOf(async (credentials) => {
  const [, subject] = (credentials.header("authorization") ?? "").split(" ");
  if (subject === undefined) throw new A2AError("UNAUTHENTICATED", "who are you?");
  return { subject };
});
const as = (name: string) => ({ Authorization: `Bearer ${name}` });

describe("a caller with nothing at work", () => {
  it("is answered, and has its task worked on, while four others are at their limits", async () => {
    const { begun, serveIt } = openGated();
    await using server = await serveIt({ auth, settings: { maxConcurrentRuns: 40 } });
    const flood = ["ann", "bob", "cleo", "dan"].flatMap((name) =>
      Array.from({ length: 50 }, (_, index) => {
        // Silent runs take the slots for replies, too.
        const words = index % 2 === 0 ? "task" : "silent";
        return send(server.url, "POST /", rpc("SendMessage", say(words, {}, later), as(name)));
      }),
    );
    await Promise.all(flood);
    // At work in tasks, paused, and at work in the slots for replies.
    expect(begun.length).toBeLessThanOrEqual(3 * 40);
    const fifth = as("eve");
    const task = rpc("SendMessage", say("task", {}, later), fifth);
    const made = await send(server.url, "POST /", task);
    expect(stateOf(made)).toBe("TASK_STATE_WORKING");
    const hello = await send(server.url, "POST /", rpc("SendMessage", say("hello"), fifth));
    expect(replyOf(hello)).toEqual(hi);
  });

  it("is told apart by its address where nobody authenticates, behind a trusted proxy too", async () => {
    const { begun, serveIt } = openGated();
    await using server = await serveIt({
      settings: { maxConcurrentRuns: 20 },
      trustsProxy: (address) => address === "127.0.0.9",
    });
    for (let count = 0; count < 60; count += 1) {
      await sendFrom("127.0.0.1", server.url, rpc("SendMessage", say("task", {}, later)));
    }
    expect(begun.length).toBeLessThan(20);
    const hello = (from: string, headers = {}) =>
      sendFrom(from, server.url, rpc("SendMessage", say("hello"), headers));
    expect(replyOf(await hello("127.0.0.2"))).toEqual(hi);
    for (let count = 0; count < 60; count += 1) {
      const headers = { "X-Forwarded-For": "192.0.2.1" };
      await sendFrom("127.0.0.9", server.url, rpc("SendMessage", say("task", {}, later), headers));
    }
    const other = await hello("127.0.0.9", { "X-Forwarded-For": "192.0.2.2" });
    expect(replyOf(other)).toEqual(hi);
  });

  it("is told apart by its address over gRPC", async () => {
    const { serveIt } = openGated();
    await using server = await serveIt({ settings: { maxConcurrentRuns: 4 } });
    for (let count = 0; count < 12; count += 1) {
      await sendFrom("127.0.0.2", server.url, rpc("SendMessage", say("silent", {}, later)));
    }
    const client = openGrpc(server);
    const { message } = await client.call("1.0", "SendMessage", { message: grpcMessage("hello") });
    expect(message).toMatchObject({ message: { parts: hi } });
  });
});

it("short questions are answered while all task slots are taken", async () => {
  const { begun, serveIt } = openGated();
  await using server = await serveIt({
    settings: { maxConcurrentRuns: 2, maxConcurrentRunsPerPrincipal: 2 },
  });
  for (let count = 0; count < 4; count += 1) {
    await send(server.url, "POST /", rpc("SendMessage", say("task", {}, later)));
  }
  expect(begun.length).toBe(4);
  for (let count = 0; count < 3; count += 1) {
    const hello = await send(server.url, "POST /", rpc("SendMessage", say("hello")));
    expect(replyOf(hello)).toEqual(hi);
  }
});

describe("a queued run", () => {
  /** A server that has a slot for a task and one for a reply, both of them taken. */
  async function openBusy(settings: ServeOptions["settings"] = {}) {
    const { gate, begun, serveIt } = openGated();
    const server = await serveIt({
      settings: { maxConcurrentRuns: 1, maxConcurrentReplies: 1, ...settings },
    });
    onTestFinished(() => server.close());
    await send(server.url, "POST /", rpc("SendMessage", say("task", {}, later)));
    const held = send(server.url, "POST /", rpc("SendMessage", say("hold")));
    await expect.poll(() => begun).toEqual(["task", "hold"]);
    return { server, gate, begun, held };
  }

  it.each([
    ["SendMessage", say("waits")],
    ["message/send", sayEarlier("waits", {}, { blocking: true })],
    ["tasks/send", sayOldest("chosen", "waits")],
  ])("is refused after its longest wait: %s", async (method, params) => {
    const { server } = await openBusy({ maxQueueMs: 100 });
    const answer = await send(server.url, "POST /", rpc(method, params));
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "5"]);
    expect(jsonOf(answer).error.message).toBe(
      "this call has waited 0.1 s for its turn; try again later",
    );
  });

  it.each([
    ["/message:send", say("waits")],
    ["/v1/message:send", restMessage("waits")],
  ])("is refused after its longest wait: POST %s", async (path, json) => {
    const { server } = await openBusy({ maxQueueMs: 100 });
    const answer = await send(server.url, `POST ${path}`, { json });
    expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "5"]);
  });

  it.each([
    ["1.0", { message: grpcMessage("waits") }],
    ["0.3", { message: grpcEarlier("waits"), configuration: { blocking: true } }],
  ] as const)("is refused after its longest wait: gRPC %s", async (version, request) => {
    const { server } = await openBusy({ maxQueueMs: 100 });
    const { error } = await openGrpc(server).call(version, "SendMessage", request);
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
    const [details = ""] = error?.metadata.get("grpc-status-details-bin") ?? [];
    expect(String(details)).toContain("google.rpc.RetryInfo");
  });

  it.each([
    ["SendStreamingMessage", say("streams")],
    ["message/stream", sayEarlier("streams")],
  ])(
    "shows its submitted task at once to who streams, and works when it can: %s",
    async (method, params) => {
      const { server, gate, held } = await openBusy({ maxQueueMs: 100 });
      using stream = await openEvents(server.url, "POST /", rpc(method, params));
      const [first] = await take(stream, 1);
      expect(JSON.stringify(first)).toMatch(/TASK_STATE_SUBMITTED|submitted/);
      gate.resolve();
      await held;
    },
  );

  it("shows its submitted task at once to who does not wait, and is never refused after that", async () => {
    const { server, gate, begun } = await openBusy({ maxQueueMs: 1 });
    const sent = await send(server.url, "POST /", rpc("SendMessage", say("later", {}, later)));
    expect(stateOf(sent)).toBe("TASK_STATE_SUBMITTED");
    const refused = await send(server.url, "POST /", rpc("SendMessage", say("waits")));
    expect(refused.status).toBe(429);
    gate.resolve();
    const { id } = jsonOf(sent).result.task as { readonly id: string };
    await expect
      .poll(async () => jsonOf(await send(server.url, `GET /tasks/${id}`)).status?.state)
      .toBe("TASK_STATE_COMPLETED");
    expect(begun).toEqual(["task", "hold", "later"]);
  });

  it("makes the server say that it is saturated, and not ready only where it refuses everybody", async () => {
    const { server } = await openBusy({ maxQueuedRuns: 1 });
    const ready = await send(server.url, "GET /readyz");
    expect([ready.status, ready.text]).toEqual([
      200,
      '{"status":"degraded","reasons":{"load":"saturated: messages wait"}}\n',
    ]);
    await send(server.url, "POST /", rpc("SendMessage", say("later", {}, later)));
    const full = await send(server.url, "GET /readyz");
    expect([full.status, full.text]).toEqual([
      503,
      '{"status":"unready","reasons":{"load":"full: messages are refused"}}\n',
    ]);
  });
});

function openGrpc(server: Server): RawClient {
  const client = new RawClient(addressOf(server));
  onTestFinished(() => client.client.close());
  return client;
}

function grpcMessage(words: string) {
  return { messageId: "m", role: "ROLE_USER", parts: [{ text: words }] };
}

function grpcEarlier(words: string) {
  return { messageId: "m", role: "ROLE_USER", content: [{ text: words }] };
}

function restMessage(words: string) {
  return { message: grpcEarlier(words), configuration: { blocking: true } };
}
