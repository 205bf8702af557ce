import { Agent as ConnectionPool } from "node:http";
import { expect, it } from "vitest";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createTestClock } from "@parley/a2a/testing";
import { call, open, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

it("a server that stops says so to probes, and goes on taking calls until the delay is over", async () => {
  const clock = createTestClock();
  await using server = await openServer({
    clock,
    store: createMemoryStore({ clock }),
    drainDelayMs: 5000,
  });
  expect(await send(server.url, "GET /readyz")).toMatchObject({ status: 200 });

  let isClosed = false;
  const closed = server.close().then(() => (isClosed = true));
  await clock.advance(4999);
  expect(await send(server.url, "GET /readyz")).toMatchObject({
    status: 503,
    text: '{"status":"unready","reasons":{"draining":"stopping"}}\n',
  });
  // A proxy that would keep its connection is told not to.
  const pool = new ConnectionPool({ keepAlive: true });
  const alive = await open(server.url, "GET /healthz", {}, { agent: pool });
  alive.resume();
  expect([alive.statusCode, alive.headers.connection]).toEqual([200, "close"]);
  pool.destroy();
  const { result } = await call(server.url, "SendMessage", say("echo still here"));
  expect(JSON.stringify(result)).toContain("still here");
  expect(isClosed).toBe(false);

  await clock.advance(1);
  await closed;
  await expect(send(server.url, "GET /readyz")).rejects.toThrow("ECONNREFUSED");
});

it("a server without a delay stops at once", async () => {
  const clock = createTestClock();
  const server = await openServer({ clock, store: createMemoryStore({ clock }) });
  await server.close();
  await expect(send(server.url, "GET /readyz")).rejects.toThrow("ECONNREFUSED");
});
