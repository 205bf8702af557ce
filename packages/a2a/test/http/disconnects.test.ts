import { once } from "node:events";
import { Agent as ConnectionPool, request } from "node:http";
import type { ClientRequest } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { collect, eventsOf, openEvents } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import type { Gate } from "../support/time/gate.js";
import { call, open, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { openFolder } from "../support/files/open-folder.js";
import { exchangeBytes, statusIn } from "../support/clients/raw-socket.js";

interface Held {
  readonly started: Gate;
  readonly gate: Gate;
}

/** Says that it has started, and goes on when the gate opens. */
function createHeld({ started, gate }: Held) {
  return agent({
    name: "Held",
    description: "Waits for the test",
    async *run({ signal, text }) {
      if (text === "silently") {
        started.open();
        await gate.opened;
        return "too late";
      }
      yield "before ";
      started.open();
      await gate.opened;
      expect(signal.aborted).toBe(false);
      yield "after";
      return undefined;
    },
  });
}

function createHolds(): Held {
  return { started: createGate(), gate: createGate() };
}

/** Sends a request whose answer nobody waits for, once the gate has been passed. */
function beginRequest(url: string, speech: Speech, text: string): ClientRequest {
  const [route, { json }] = write(speech, "sendMessage", textMessage(text));
  const outgoing = request(new URL(route.split(" ")[1] ?? "/", url), {
    method: "POST",
    agent: false,
    headers: { "Content-Type": "application/json" },
  });
  outgoing.on("error", () => undefined);
  outgoing.end(JSON.stringify(json));
  return outgoing;
}

async function drop(outgoing: ClientRequest): Promise<void> {
  const closed = new Promise<void>((resolve) => outgoing.once("close", resolve));
  outgoing.destroy();
  await closed;
}

async function onlyTask(url: string) {
  const { result } = await call(url, "ListTasks", { includeArtifacts: true });
  expect(result.totalSize).toBe(1);
  return result.tasks[0];
}

const finished = {
  status: { state: "TASK_STATE_COMPLETED" },
  artifacts: [{ parts: [{ text: "before " }, { text: "after" }] }],
};

describe("a caller that goes away", () => {
  it.each(["0.3", "0.3-proto", "1.0", "1.0 REST"] as const)(
    "while it waits for its task leaves the task alone, in %s",
    async (speech) => {
      verifies("stream:task-outlives-stream");
      const holds = createHolds();
      await using server = await openServer({ agent: createHeld(holds) });
      const outgoing = beginRequest(server.url, speech, "go");
      await holds.started.opened;
      await drop(outgoing);
      await call(server.url, "ListTasks", {});
      holds.gate.open();
      await expect.poll(() => onlyTask(server.url)).toMatchObject(finished);
    },
  );

  it.each(["0.3", "1.0", "1.0 REST"] as const)(
    "from its stream leaves the task alone, in %s",
    async (speech) => {
      const holds = createHolds();
      await using folder = await openFolder();
      const store = `${folder.path}/tasks.db`;
      await using server = await openServer({ agent: createHeld(holds), store });
      const stream = await openEvents(
        server.url,
        ...write(speech, "sendStreamingMessage", textMessage("go")),
      );
      await eventsOf(stream).next();
      stream.close();
      await holds.started.opened;
      holds.gate.open();
      await expect.poll(() => onlyTask(server.url)).toMatchObject(finished);
    },
  );

  it("before anything is decided loses the answer and nothing else", async () => {
    const holds = createHolds();
    await using server = await openServer({ agent: createHeld(holds) });
    const outgoing = beginRequest(server.url, "1.0", "silently");
    await holds.started.opened;
    await drop(outgoing);
    holds.gate.open();
    const { result } = await call(server.url, "ListTasks", {});
    expect(result.totalSize).toBe(0);
  });

  it("in the middle of its request is not answered, and starts nothing", async () => {
    await using server = await openServer();
    const outgoing = request(server.url, { method: "POST", agent: false });
    outgoing.on("error", () => undefined);
    outgoing.setHeader("Content-Length", 1000);
    outgoing.write('{"jsonrpc":"2.0","id":1,');
    await once(outgoing, "socket");
    outgoing.destroy();
    const { result } = await call(server.url, "ListTasks", {});
    expect(result.totalSize).toBe(0);
  });
});

describe("a server that stops", () => {
  it("answers who waits for a task with word to ask again", async () => {
    const holds = createHolds();
    const server = await openServer({ agent: createHeld(holds) });
    const waiting = open(server.url, "POST /", rpc("SendMessage", say("go")));
    await holds.started.opened;
    await expect.poll(() => onlyTask(server.url)).toHaveProperty("id");
    const { id: taskId } = await onlyTask(server.url);
    const closing = server.close();
    const answer = await waiting;
    const { statusCode, headers } = answer;
    expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
    // The connection goes away, too, and nobody should count on it.
    expect(headers.connection).toBe("close");
    // Who knows the task need not start another.
    const [{ metadata }] = JSON.parse(await text(answer)).error.data;
    expect(metadata).toEqual({ taskId });
    holds.gate.open();
    await closing;
  });

  it("answers who waits for a word of the agent too", async () => {
    const holds = createHolds();
    const server = await openServer({ agent: createHeld(holds) });
    const waiting = open(server.url, "POST /message:send", { json: say("silently") });
    await holds.started.opened;
    const closing = server.close();
    expect((await waiting).statusCode).toBe(503);
    holds.gate.open();
    await closing;
  });

  it.each(["0.1", "0.3", "0.3-proto", "1.0", "1.0 REST"] as const)(
    "tells its streams to come back, in %s",
    async (speech) => {
      const holds = createHolds();
      const server = await openServer({ agent: createHeld(holds) });
      const stream = await openEvents(
        server.url,
        ...write(speech, "sendStreamingMessage", textMessage("go")),
      );
      await holds.started.opened;
      const reading = collect(stream);
      const closing = server.close();
      const last = (await reading).at(-1);
      expect(last).not.toHaveProperty("id");
      expect(JSON.stringify(last?.data)).toMatch(/ask again/);
      holds.gate.open();
      await closing;
    },
  );

  it("does not wait for connections that nobody uses", async () => {
    const pool = new ConnectionPool({ keepAlive: true });
    const server = await openServer({ drainMs: 60_000 });
    const incoming = await open(server.url, "GET /healthz", {}, { agent: pool });
    incoming.resume();
    await once(incoming, "end");
    await server.close();
    pool.destroy();
  });

  it("takes no more connections, and may be closed twice", async () => {
    const server = await openServer();
    await Promise.all([server.close(), server.close()]);
    await expect(open(server.url, "GET /healthz")).rejects.toThrow("ECONNREFUSED");
  });
});

describe("a caller that is too slow", () => {
  it.each([
    ["with the head of its request", "POST / HTTP/1.1\r\nHost: localhost\r\n"],
    ["with its body", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"],
  ])("%s is told so", async (_, bytes) => {
    await using server = await openServer({ timeouts: { headersMs: 100, requestMs: 200 } });
    const answer = await exchangeBytes(server.port, bytes);
    expect(statusIn(answer)).toBe(408);
  });

  it("is one that sends, not one that waits for an answer", async () => {
    const holds = createHolds();
    // Long enough for a request to arrive whole on a busy machine.
    const timeouts = { headersMs: 2000, requestMs: 3000 };
    await using server = await openServer({ agent: createHeld(holds), timeouts });
    const waiting = send(server.url, "POST /message:send", { json: say("go") });
    await holds.started.opened;
    await exchangeBytes(
      server.port,
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    );
    holds.gate.open();
    expect(await waiting).toMatchObject({ status: 200, text: expect.stringContaining("after") });
  });
});
