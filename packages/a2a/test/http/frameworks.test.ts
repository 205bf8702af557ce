import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { Hono } from "hono";
import type { HonoRequest } from "hono";
import { describe, expect, it } from "vitest";
import type { AgentService, MountableAgent } from "@parley/a2a";
import { createFetchHandler } from "@parley/a2a/http";
import type { HttpOptions } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { collect, eventsOf, openEvents } from "../support/clients/event-client.js";
import { createGate } from "../support/time/gate.js";
import { jsonOf, rpc, say, sayEarlier, send } from "../support/clients/http-client.js";
import { createStubService } from "./stub-service.js";

const path = "/agents/demo";

type Options = Omit<HttpOptions, "mounts">;
type Framework = (agent: MountableAgent, options: Options) => RequestListener;

/** Lets node's server speak to what takes a `Request`. */
function listenWith(handle: (request: Request) => Response | Promise<Response>): RequestListener {
  const listener = getRequestListener(handle);
  return (request, response) => void listener(request, response);
}

/** The ways into a server that is somebody else's, each under the same path. */
const frameworks: Readonly<Record<string, Framework>> = {
  "node, straight": (agent, options) =>
    createNodeListener({ ...options, mounts: [{ agent, path }] }),
  "node, by Request and Response": (agent, options) =>
    listenWith(createFetchHandler({ ...options, mounts: [{ agent, path }] })),
  Hono: (agent, options) => {
    const app = new Hono();
    const handle = createFetchHandler({ ...options, mounts: [{ agent, path }] });
    app.get("/", (context) => context.text("home"));
    app.all(`${path}/*`, (context) => handle(context.req.raw));
    app.all(path, (context) => handle(context.req.raw));
    return listenWith((request) => app.fetch(request));
  },
  "Express 5, by Request and Response": (agent, options) => {
    const app = express();
    app.get("/", (_, response) => void response.send("home"));
    app.use(listenWith(createFetchHandler({ ...options, mounts: [{ agent, path }] })));
    return app;
  },
  "Express 5, under its path": (agent, options) => {
    const app = express();
    app.use(path, createNodeListener({ ...options, mounts: [{ agent }] }));
    return app;
  },
  "Express 5, after its JSON parser": (agent, options) => {
    const app = express();
    app.use(express.json({ type: ["application/json", "application/a2a+json"] }));
    app.use(path, createNodeListener({ ...options, mounts: [{ agent }] }));
    return app;
  },
};

const names = Object.keys(frameworks);

interface Open extends AsyncDisposable {
  /** Of the server; the agent is below. */
  readonly origin: string;
}

async function open(name: string, service: AgentService, options: Options = {}): Promise<Open> {
  const hosted: MountableAgent = { service, card: (interfaces) => demoAgent.card(interfaces) };
  const listener = frameworks[name]?.(hosted, options) ?? expect.fail(name);
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function openDemo() {
  return openRuntime({ agent: demoAgent, store: createMemoryStore() });
}

describe.each(names)("in %s", (name) => {
  it("the card has the address that it was asked for at", async () => {
    await using runtime = await openDemo();
    await using server = await open(name, runtime);
    const route = `GET ${path}/.well-known/agent-card.json`;
    const answer = await send(server.origin, route);
    expect(jsonOf(answer)).toMatchObject({ name: "Parley demo", url: `${server.origin}${path}` });
    const headers = { "If-None-Match": answer.headers.etag ?? "" };
    expect((await send(server.origin, route, { headers })).status).toBe(304);
    const head = await send(server.origin, route.replace("GET", "HEAD"));
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it.each([
    ["JSON-RPC", "", rpc("SendMessage", say("echo hi"))],
    ["JSON-RPC of 0.3", "", rpc("message/send", sayEarlier("echo hi"))],
    ["REST", "/message:send", { json: say("echo hi") }],
    ["REST of 0.3", "/v1/message:send", { json: sayEarlier("echo hi") }],
  ])("%s is answered", async (_, below, options) => {
    await using runtime = await openDemo();
    await using server = await open(name, runtime);
    const answer = await send(server.origin, `POST ${path}${below}`, options);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"hi"');
  });

  it("a task is streamed, resumed, read and canceled", async () => {
    await using runtime = await openDemo();
    await using server = await open(name, runtime);
    const { origin } = server;
    const json = say("stream 5 0");
    using stream = await openEvents(origin, `POST ${path}/message:stream`, { json });
    const events = await collect(stream);
    expect(events.at(-1)?.data.statusUpdate.status.state).toBe("TASK_STATE_COMPLETED");
    const { id } = events[0]?.data.task ?? {};
    const headers = { "Last-Event-ID": events[3]?.id ?? "" };
    using resumed = await openEvents(origin, `GET ${path}/tasks/${id}:subscribe`, { headers });
    expect(await collect(resumed)).toEqual(events.slice(4));
    expect(jsonOf(await send(origin, `GET ${path}/tasks/${id}`)).id).toBe(id);
    const refused = await send(origin, `POST ${path}/tasks/${id}:cancel`);
    expect(jsonOf(refused).error.details[0].reason).toBe("TASK_NOT_CANCELABLE");
  });

  it("a body without end is refused", async () => {
    const limits = { maxBodyBytes: 1000, maxParts: 10, maxJsonDepth: 20, maxIdLength: 50 };
    await using runtime = await openDemo();
    await using server = await open(name, runtime, { limits });
    const json = say("x".repeat(2000));
    expect((await send(server.origin, `POST ${path}/message:send`, { json })).status).toBe(413);
  });

  it("a stream is kept alive, and let go of when its reader leaves", async () => {
    const gate = createGate();
    let isLeft = false;
    const service: AgentService = {
      ...createStubService(() => expect.fail("not called")),
      async *subscribeToTask({ id }, { signal }) {
        try {
          yield {
            response: { task: { id, status: { state: "TASK_STATE_WORKING" } } },
            sequence: 1,
          };
          await new Promise<void>((resolve) => {
            signal?.addEventListener("abort", () => resolve());
          });
        } finally {
          isLeft = true;
          gate.open();
        }
      },
    };
    await using server = await open(name, service, { heartbeatMs: 20 });
    const stream = await openEvents(server.origin, `GET ${path}/tasks/t1:subscribe`);
    let beats = 0;
    for await (const { comments } of stream) {
      beats += comments.length;
      if (beats === 3) break;
    }
    expect(isLeft).toBe(false);
    stream.close();
    await gate.opened;
    expect(isLeft).toBe(true);
  });

  it("a reader that stops is not run ahead of", async () => {
    let made = 0;
    const service: AgentService = {
      ...createStubService(() => expect.fail("not called")),
      async *subscribeToTask({ id }) {
        for (; made < 100_000; made += 1) {
          const artifact = { artifactId: "a", parts: [{ text: "x".repeat(10_000) }] };
          yield { response: { artifactUpdate: { taskId: id, contextId: "c", artifact } } };
        }
      },
    };
    await using server = await open(name, service);
    using stream = await openEvents(server.origin, `GET ${path}/tasks/t1:subscribe`);
    await eventsOf(stream).next();
    // What sockets and their owners hold back is some megabytes; all of it would be a thousand.
    let before = -1;
    const isStill = (): boolean => {
      const last = before;
      before = made;
      return last === made;
    };
    await expect.poll(isStill, { interval: 200 }).toBe(true);
    expect(made).toBeLessThan(3000);
  });
});

it.each(["Hono", "Express 5, by Request and Response"])("%s keeps its own routes", async (name) => {
  await using runtime = await openDemo();
  await using server = await open(name, runtime);
  expect((await send(server.origin, "GET /")).text).toBe("home");
});

it.each<[string, (request: HonoRequest) => Promise<unknown>, readonly unknown[]]>([
  ["itself: the operator is told what to do", (request) => request.json(), [-32603, 1]],
  ["as a stream", async (request) => request.raw.body?.getReader(), [-32603, 1]],
  ["from a copy", (request) => request.raw.clone().json(), [undefined, 0]],
])("middleware of Hono that reads the body %s", async (_, read, outcome) => {
  await using runtime = await openDemo();
  const reports: unknown[] = [];
  const reportFailure = (error: unknown) => void reports.push(error);
  const handle = createFetchHandler({ mounts: [{ agent: runtime }], reportFailure });
  const app = new Hono();
  app.use(async ({ req }, next) => {
    await read(req);
    await next();
  });
  app.all("/", (context) => handle(context.req.raw));
  const { json } = rpc("SendMessage", say("echo hi"));
  const headers = { "Content-Type": "application/json" };
  const answer = await app.request("/", { method: "POST", headers, body: JSON.stringify(json) });
  const { error } = (await answer.json()) as { error?: { code: number } };
  expect([error?.code, reports.length]).toEqual(outcome);
  for (const report of reports) expect(String(report)).toMatch(/was read before.*\bclone\(\)/);
});

it("a handler of requests needs no server at all", async () => {
  await using runtime = await openDemo();
  const handle = createFetchHandler(runtime);
  const card = await handle(new Request("https://agents.example/.well-known/agent-card.json"));
  expect(await card.json()).toMatchObject({ url: "https://agents.example" });
  const answer = await handle(
    new Request("https://agents.example/message:send", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(say("echo hi")),
    }),
  );
  expect(answer.headers.get("content-type")).toBe("application/a2a+json");
  expect(await answer.json()).toMatchObject({ message: { parts: [{ text: "hi" }] } });
});

it("a runtime is mounted as it is, alone or at a path, with further options or without", async () => {
  await using runtime = await openDemo();
  const publicUrl = "https://public.example";
  const handlers = [
    ["https://agents.example", createFetchHandler(runtime), ""],
    [publicUrl, createFetchHandler(runtime, { publicUrl }), ""],
    [publicUrl, createFetchHandler({ mounts: [{ agent: runtime, path: "/x" }], publicUrl }), "/x"],
  ] as const;
  for (const [url, handle, path] of handlers) {
    const card = await handle(
      new Request(`https://agents.example${path}/.well-known/agent-card.json`),
    );
    expect(await card.json()).toMatchObject({ url: `${url}${path}` });
  }
});
