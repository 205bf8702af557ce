import { once } from "node:events";
import { Agent as ConnectionPool, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { MountableAgent } from "@parley/a2a";
import { createFetchHandler } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { open, send } from "../support/clients/http-client.js";
import { openMounted, waysToMount } from "../support/servers/open-mounted.js";
import { openServer } from "../support/servers/open-server.js";
import { createStubService } from "./stub-service.js";

const ok = { status: 200, text: "ok\n" };
const ready = { status: 200, text: '{"status":"ready"}\n' };
const unready = (reasons: Readonly<Record<string, string>>) => ({
  status: 503,
  text: `${JSON.stringify({ status: "unready", reasons })}\n`,
});
const stopping = unready({ draining: "stopping" });

describe.each(waysToMount)("an agent that is mounted in %s", (way) => {
  it("says at its path that it is healthy, and whether its store answers", async () => {
    const store = createMemoryStore();
    await using mounted = await openMounted(way, { runtime: () => ({ store }) });
    const { origin, path } = mounted;
    expect(await send(origin, `GET ${path}/healthz`)).toMatchObject(ok);
    expect(await send(origin, `GET ${path}/readyz?from=balancer`)).toMatchObject(ready);
    await store.close();
    expect(await send(origin, `GET ${path}/readyz`)).toMatchObject(
      unready({ store: "the store is closed" }),
    );
    expect(await send(origin, `HEAD ${path}/healthz`)).toMatchObject({ status: 200, text: "" });
    expect(await send(origin, `POST ${path}/readyz`)).toMatchObject({
      status: 405,
      headers: { allow: "GET, HEAD" },
    });
  });

  it("is not ready once its runtime closes", async () => {
    await using mounted = await openMounted(way);
    await mounted.runtime.close();
    expect(await send(mounted.origin, `GET ${mounted.path}/readyz`)).toMatchObject(stopping);
    expect(await send(mounted.origin, `GET ${mounted.path}/healthz`)).toMatchObject(ok);
  });
});

describe("a server of several agents", () => {
  it("answers at the root and at each agent's path", async () => {
    const other = agent({ name: "Other", description: "Is another", run: () => "hi" });
    await using server = await openServer({ agent: { "/demo": demoAgent, "/other": other } });
    for (const path of ["", "/demo", "/other"]) {
      expect(await send(server.url, `GET ${path}/healthz`)).toMatchObject(ok);
      expect(await send(server.url, `GET ${path}/readyz`)).toMatchObject(ready);
    }
    expect((await send(server.url, "GET /nobody/readyz")).status).toBe(404);
  });

  it("asks each agent about itself, and all of them at the root", async () => {
    const service = createStubService(() => expect.fail("nobody calls"));
    const card: MountableAgent["card"] = (interfaces) => demoAgent.card(interfaces);
    const answer = createFetchHandler({
      mounts: [
        { path: "/silent", agent: { service, card } },
        { path: "/sound", agent: { service, card, check: async () => undefined } },
        { path: "/sick", agent: { service, card, check: () => Promise.reject(new Error("ill")) } },
        { path: "/sick", tenant: "acme", agent: { service, card } },
      ],
    });
    const statusOf = async (path: string): Promise<number> =>
      (await answer(new Request(`https://agents.example${path}/readyz`))).status;
    expect(await statusOf("/silent")).toBe(200);
    expect(await statusOf("/sound")).toBe(200);
    expect(await statusOf("/sick")).toBe(503);
    expect(await statusOf("/sick/acme")).toBe(200);
    expect(await statusOf("")).toBe(503);
  });
});

it("a listener that drains tells balancers that it stops, on connections that are still open", async () => {
  const service = createStubService(() => expect.fail("nobody calls"));
  const listener = createNodeListener({
    mounts: [{ path: "/demo", agent: { service, card: (all) => demoAgent.card(all) } }],
  });
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pool = new ConnectionPool({ keepAlive: true, maxSockets: 1 });
  const probe = async (path: string): Promise<readonly [number | undefined, string]> => {
    const incoming = await open(url, `GET ${path}`, {}, { agent: pool });
    return [incoming.statusCode, await text(incoming)];
  };
  expect(await probe("/demo/readyz")).toEqual([200, ready.text]);
  await listener.drain();
  expect(await probe("/demo/readyz")).toEqual([503, stopping.text]);
  expect(await probe("/readyz")).toEqual([503, stopping.text]);
  pool.destroy();
  server.closeAllConnections();
  server.close();
});
