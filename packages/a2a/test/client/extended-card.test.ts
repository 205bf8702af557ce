import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentInterface } from "@parley/a2a";
import { apiKey, createAuthenticator, hashKey, keyTable } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, RemoteAgent } from "@parley/a2a/client";
import { createGrpcTransport } from "@parley/a2a/grpc";
import type { GrpcTransport } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import type { TokenRequest } from "../../src/client/credentials/secret.js";

const key = "a key that is long enough to be one";

let server: Server;
beforeAll(async () => {
  server = await openServer({
    agent: agent({
      name: "Reserved",
      description: "For everyone",
      extendedCard: (card, { principal }) => ({
        ...card,
        supportedInterfaces: [
          { url: server.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
          { url: server.url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
        ],
        description: `For ${principal?.subject}`,
      }),
      run: () => "hello",
    }),
    grpc: { port: 0 },
    auth: createAuthenticator({
      schemes: {
        key: apiKey({
          in: "header",
          name: "X-Key",
          keys: keyTable([{ hash: await hashKey(key), subject: "ada", scopes: [] }]),
        }),
      },
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const ways = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["GRPC", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "0.3"],
  ["GRPC", "0.3"],
] as const;

/** Connects over one interface, with transports that are closed in the end. */
async function open(
  [protocolBinding, protocolVersion]: (typeof ways)[number],
  options: ConnectOptions,
): Promise<{ readonly remote: RemoteAgent } & Disposable> {
  const opened: GrpcTransport[] = [];
  const { card } = await connect(server.url);
  const url = protocolBinding === "GRPC" ? (server.grpcAddress ?? "") : server.url;
  const chosen: AgentInterface = { url, protocolBinding, protocolVersion };
  const remote = await connect(
    { ...card, supportedInterfaces: [chosen] },
    {
      transports: {
        GRPC: ({ url: address }) => {
          const version = protocolVersion;
          const transport = createGrpcTransport({ address, version });
          opened.push(transport);
          return transport;
        },
      },
      patience: { maxAttempts: 1 },
      ...options,
    },
  );
  return {
    remote,
    [Symbol.dispose]: () => {
      for (const transport of opened) transport.close();
    },
  };
}

describe.each(ways)("over %s in version %s", (...way) => {
  it("takes the extended card for the card, when it is told to", async () => {
    verifies("extended-card:replaces-cached");
    verifies("extended-card:client-authenticates", "extended-card:declared-scheme");
    using extended = await open(way, { credentials: { key }, extendedCard: true });
    expect(extended.remote.card.description).toMatch(/^For .*ada$/);
    expect(await extended.remote.text("hi")).toBe("hello");
    using plain = await open(way, { credentials: { key } });
    expect(plain.remote.card.description).toBe("For everyone");
    expect((await plain.remote.extendedCard()).description).toMatch(/^For .*ada$/);
  });

  it("says so when it is refused the extended card", async () => {
    const refused = open(way, { credentials: { key: "another" }, extendedCard: true });
    await expect(refused).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("asks once for another secret when one is refused, for calls and for streams", async () => {
    const asked: (string | undefined)[] = [];
    const source = ({ refused }: TokenRequest): string => {
      asked.push(refused);
      return refused === undefined ? "expired" : key;
    };
    using caller = await open(way, { credentials: { key: source } });
    expect(await caller.remote.text("hi")).toBe("hello");
    const { task, message } = await caller.remote.send("hi", { returnImmediately: true });
    expect(task ?? message).toBeDefined();
    expect(asked).toEqual([undefined, "expired", undefined, "expired"]);
  });

  it("sends what it is given to one origin only", async () => {
    const elsewhere = { credentialsOrigin: "https://elsewhere.example" };
    for (const given of [{ credentials: { key } }, { headers: { "X-Key": key } }]) {
      using caller = await open(way, { ...given, ...elsewhere });
      await expect(caller.remote.text("hi")).rejects.toThrowError(
        /^the credentials are for https:\/\/elsewhere\.example and are not sent to /,
      );
    }
    using caller = await open(way, elsewhere);
    const serviceParameters = { Authorization: "Bearer hush" };
    await expect(caller.remote.text("hi", { serviceParameters })).rejects.toThrowError(
      /^the credentials are for https:\/\/elsewhere\.example and are not sent to /,
    );
    using allowed = await open(way, { headers: { "X-Key": key } });
    expect(await allowed.remote.text("hi")).toBe("hello");
  });
});

it("leaves the card of an agent that has no extended one", async () => {
  verifies("client:check-capabilities");
  await using plain = await openServer();
  const remote = await connect(plain.url, { extendedCard: true });
  expect(remote.card.name).toBe("Parley demo");
});
