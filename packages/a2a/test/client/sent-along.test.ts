import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentInterface, Operation } from "@parley/a2a";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, Interceptor, RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import { readAll } from "./open-agent.js";

const extension = "https://extensions.example/politeness";

let server: Server;
let key: string;
beforeAll(async () => {
  const created = await createKey();
  key = created.key;
  server = await openServer({
    agent: agent({
      name: "Polite",
      description: "Says please when it is asked to",
      capabilities: { extensions: [{ uri: extension }] },
      async *run({ extensions }) {
        yield extensions.includes(extension) ? "please " : "";
        yield "come in";
      },
    }),
    grpc: { port: 0 },
    auth: createAuthenticator({
      schemes: {
        key: apiKey({
          in: "header",
          name: "X-Key",
          keys: [{ subject: "ada", hash: created.hash }],
        }),
      },
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const ways = [
  ["JSONRPC", "1.0", "jsonrpc:headers"],
  ["HTTP+JSON", "1.0", "rest:headers"],
  ["GRPC", "1.0", "grpc:metadata"],
  ["JSONRPC", "0.3", "jsonrpc:headers"],
  ["HTTP+JSON", "0.3", "rest:headers"],
  ["GRPC", "0.3", "grpc:metadata"],
] as const;

async function open(
  [protocolBinding, protocolVersion]: readonly [string, "0.3" | "1.0", ...string[]],
  options: ConnectOptions = {},
): Promise<RemoteAgent> {
  const { card } = await connect(server.url);
  const url = protocolBinding === "GRPC" ? (server.grpcAddress ?? "") : server.url;
  const chosen: AgentInterface = { url, protocolBinding, protocolVersion };
  const transports = grpcTransports();
  return connect({ ...card, supportedInterfaces: [chosen] }, { transports, ...options });
}

describe.each(ways)("over %s in version %s", (...way) => {
  it("sends the service parameters of a call", async () => {
    verifies(way[2]);
    const remote = await open(way);
    const serviceParameters = { "X-Key": key };
    expect(await remote.text("hi", { serviceParameters })).toBe("come in");
    await expect(remote.text("hi")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("asks for extensions, and tells which were activated", async () => {
    verifies("extension:requested");
    const activated: (readonly string[])[] = [];
    const onExtensions = (uris: readonly string[]): void => void activated.push(uris);
    const remote = await open(way, { credentials: { key }, extensions: [extension] });
    expect(await remote.text("hi", { onExtensions })).toBe("please come in");
    expect(activated).toEqual([[extension]]);
    activated.length = 0;
    expect(await remote.text("hi", { onExtensions, extensions: [] })).toBe("come in");
    expect(activated.flat()).toEqual([]);
  });

  it("passes streams and calls through interceptors: before, after, around, by operation", async () => {
    const seen: string[] = [];
    const observe = (name: string, operations?: readonly Operation[]): Interceptor => ({
      ...(operations !== undefined && { operations }),
      before: ({ operation }) => void seen.push(`${name}: before ${operation}`),
      after: ({ operation }) => void seen.push(`${name}: after ${operation}`),
      around: async (outgoing, next) => {
        seen.push(`${name}: around ${outgoing.operation}`);
        return next(outgoing);
      },
      async *aroundStream(outgoing, next) {
        seen.push(`${name}: opens ${outgoing.operation}`);
        yield* next(outgoing);
        seen.push(`${name}: closes ${outgoing.operation}`);
      },
    });
    const remote = await open(way, {
      credentials: { key },
      interceptors: [observe("outer"), observe("inner", ["sendStreamingMessage"])],
    });
    const { events } = await readAll(remote.stream("hi"));
    const [first] = events;
    const told = seen.filter((line) => line === "inner: after sendStreamingMessage").length;
    expect(told).toBe(events.length);
    expect(seen.slice(0, 4)).toEqual([
      "outer: before sendStreamingMessage",
      "outer: opens sendStreamingMessage",
      "inner: before sendStreamingMessage",
      "inner: opens sendStreamingMessage",
    ]);
    seen.length = 0;
    if (first?.kind !== "task") throw new Error("expected a task");
    await remote.task(first.task.id);
    expect(seen).toEqual([
      "outer: before getTask",
      "outer: around getTask",
      "outer: after getTask",
    ]);
  });
});

describe("the tenant of the interface", () => {
  it.each([
    ["JSONRPC", "acme"],
    ["JSONRPC", undefined],
    ["HTTP+JSON", "acme"],
    ["HTTP+JSON", undefined],
  ])("is what every request of %s has: %s", async (protocolBinding, tenant) => {
    verifies(tenant === undefined ? "tenant:client-omits" : "tenant:client-echoes");
    const { card } = await connect(server.url);
    const sent: string[] = [];
    const one: AgentInterface = {
      url: server.url,
      protocolBinding,
      protocolVersion: "1.0",
      ...(tenant !== undefined && { tenant }),
    };
    const remote = await connect(
      { ...card, supportedInterfaces: [one] },
      {
        patience: { maxAttempts: 1 },
        fetch: async (url, { body }) => {
          sent.push(`${url.slice(server.url.length)} ${body as string}`);
          return new Response("no", { status: 400 });
        },
      },
    );
    const call = { version: "1.0" } as const;
    await Promise.allSettled([
      remote.service.getTask({ id: "t" }, call),
      remote.service.cancelTask({ id: "t" }, call),
      remote.service.listTasks({}, call),
      remote.send("hi", { returnImmediately: true }),
    ]);
    expect(sent).toHaveLength(4);
    for (const request of sent) expect(request.includes("acme")).toBe(tenant !== undefined);
    expect(sent.join()).not.toContain("tenant=undefined");
  });
});
