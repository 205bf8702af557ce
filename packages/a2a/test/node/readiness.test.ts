import { expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createTestClock } from "@parley/a2a/testing";
import { send } from "../support/clients/http-client.js";

const leaseMs = 12_000;

/** A server with two agents. Leases are renewed as long as the test wants. */
async function openServer() {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const renewNode = store.renewNode.bind(store);
  const cutOff = new Set<string>();
  store.renewNode = async (node, forMs, info) => {
    if (cutOff.has(info.agent)) throw new Error("the connection is refused");
    return renewNode(node, forMs, info);
  };
  const echo = (name: string) => agent({ name, description: "Echoes.", run: ({ text }) => text });
  const server = await serve(
    { "/": echo("One"), "/two": echo("Two") },
    { port: 0, clock, store, settings: { leaseMs }, report: () => undefined },
  );
  const probe = (path = "/readyz") => send(server.url, `GET ${path}`);
  return { clock, store, cutOff, server, probe };
}

it("a server is not ready while a node of it has no lease, though the store answers", async () => {
  const { clock, cutOff, server, probe } = await openServer();
  await using _ = server;
  cutOff.add("Two");
  await clock.advance(leaseMs / 2);
  const late = await probe();
  expect([late.status, JSON.parse(late.text)]).toEqual([
    200,
    {
      status: "degraded",
      reasons: { lease: "renewed more than half its span ago; 3 s are left" },
    },
  ]);
  await clock.advance(leaseMs / 4);
  const { status, text } = await probe();
  expect([status, JSON.parse(text)]).toEqual([
    503,
    {
      status: "unready",
      reasons: { lease: "the store has not renewed this node's lease in time" },
    },
  ]);
  expect(await probe("/healthz")).toMatchObject({ status: 200 });
  cutOff.clear();
  await clock.advance(leaseMs / 4);
  expect(await probe()).toMatchObject({ status: 200 });
});

it("a server is not ready while a node of it drains", async () => {
  const { clock, store, server, probe } = await openServer();
  await using _ = server;
  const [, two] = await store.listNodes();
  await store.setDraining(two?.node ?? "", true);
  await clock.advance(leaseMs / 4);
  const { status, text } = await probe();
  expect([status, JSON.parse(text)]).toEqual([
    503,
    { status: "unready", reasons: { draining: "an operator has asked this node to stop" } },
  ]);
  await store.setDraining(two?.node ?? "", false);
  await clock.advance(leaseMs / 4);
  expect(await probe()).toMatchObject({ status: 200 });
});
