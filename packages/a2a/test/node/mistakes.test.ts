import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer, connect } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import type { ServeOptions } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";
import { send } from "../support/clients/http-client.js";
import { createGate } from "../support/time/gate.js";

const definition = { name: "Echo", description: "Repeats", run: () => "x" };
const echo = agent(definition);
const form = "agent({ name, description, run })";
const timer = "expected a whole number of milliseconds from";

/** Another program that listens on a port. */
async function occupyPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  return { port, close, [Symbol.asyncDispose]: close };
}

async function freePort(): Promise<number> {
  await using occupied = await occupyPort();
  return occupied.port;
}

/** Resolves to whether somebody listens on a port. */
async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isOpen = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

/** Serves what a program without a compiler may pass, at a port and in a folder that it has to leave alone. */
async function refusal(agents: unknown, options: unknown): Promise<string> {
  await using folder = await openFolder();
  const port = await freePort();
  const path = folder.file();
  const isObject = typeof options === "object" && options !== null;
  const all = isObject ? { port, store: path, ...options } : options;
  const opening = serve(agents as Agent, all as ServeOptions);
  const error: unknown = await opening.then(
    async (server) => {
      await server.close();
      return new Error("it was served");
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  expect([await isListening(port), existsSync(path)]).toEqual([false, false]);
  return (error as Error).message;
}

describe("serve() refuses, and opens neither a port nor a store, for", () => {
  it.each<[string, unknown, string]>([
    ["nothing", undefined, `serve(): got nothing; expected an agent: ${form}`],
    ["null", null, `serve(): got null; expected an agent: ${form}`],
    [
      "a handler",
      definition.run,
      "serve(): got the function run; expected an agent: agent({ name, description, run: run })",
    ],
    [
      "a definition",
      definition,
      'serve(): "Echo" is the definition of an agent; expected an agent: agent({ … })',
    ],
    [
      "an agent that is not made yet",
      Promise.resolve(echo),
      `serve(): got a promise that was not awaited; expected an agent: ${form}`,
    ],
    [
      "a runtime",
      { service: {}, card: () => echo.card([]) },
      "serve(): got a runtime, which has its agent already; expected the agent itself",
    ],
    [
      "a list of agents",
      [echo],
      'serve(): got a list; expected agents by their paths, such as { "/travel": travel }',
    ],
    [
      "no agents",
      {},
      'serve(): there is no agent to serve; expected agents by their paths, such as { "/travel": travel }',
    ],
    [
      "an agent among options",
      { agent: echo, port: 1 },
      "serve(): got { agent, … }; expected serve(agent, options)",
    ],
    [
      "a definition at a path",
      { "/": echo, "/other": definition },
      'serve(), the agent at "/other": "Echo" is the definition of an agent; expected an agent: agent({ … })',
    ],
    [
      "a definition with authentication",
      { "/": { agent: definition, auth: false } },
      'serve(), the agent at "/": "Echo" is the definition of an agent; expected an agent: agent({ … })',
    ],
    [
      "an authenticator at a path, that is none",
      { "/": { agent: echo, auth: true } },
      'serve(), the agent at "/": auth is true; expected an authenticator: createAuthenticator({ schemes })',
    ],
  ])("%s in the place of an agent", async (_, agents, message) => {
    expect(await refusal(agents, {})).toBe(message);
  });

  it.each<[string, unknown, string]>([
    ["a port as options", 4100, "options is 4100; expected an object such as { port: 4100 }"],
    ["null", null, "options is null; expected an object such as { port: 4100 }"],
    ["a misspelt option", { prot: 4100 }, "prot is unknown; did you mean port?"],
    [
      "a setting beside the settings",
      { leaseMs: 1 },
      "leaseMs is unknown; did you mean settings.leaseMs?",
    ],
    [
      "a misspelt setting",
      { settings: { leasMs: 1 } },
      "settings.leasMs is unknown; did you mean leaseMs?",
    ],
    [
      "a setting that is negative",
      { settings: { stopGraceMs: -1 } },
      `settings.stopGraceMs is -1; ${timer} 0 to 2147483647 (24 days)`,
    ],
    ["a port in words", { port: "abc" }, 'port is "abc"; expected a whole number from 0 to 65535'],
    [
      "a port in quotes",
      { port: "4100" },
      'port is "4100"; expected a whole number from 0 to 65535',
    ],
    [
      "a port that is none",
      { port: Number.NaN },
      "port is NaN; expected a whole number from 0 to 65535",
    ],
    [
      "a port beyond the last",
      { port: 70_000 },
      "port is 70000; expected a whole number from 0 to 65535",
    ],
    [
      "a host that is a number",
      { host: 127 },
      'host is 127; expected an address, such as "127.0.0.1"',
    ],
    [
      "an empty host, which would be all",
      { host: "" },
      'host is ""; expected an address, such as "127.0.0.1"',
    ],
    [
      "a public URL without its scheme",
      { publicUrl: "example.com/agent" },
      'publicUrl is "example.com/agent"; expected a URL with its scheme: https://example.com/agent',
    ],
    [
      "an origin with a path",
      { cors: { origins: ["https://page.example/app"] } },
      'cors.origins[0] is "https://page.example/app"; expected an origin without a path: "https://page.example"',
    ],
    [
      "a fraction of a time",
      { drainMs: 0.5 },
      `drainMs is 0.5; ${timer} 0 to 2147483647 (24 days)`,
    ],
    [
      "a timeout of nothing",
      { timeouts: { headersMs: 0 } },
      `timeouts.headersMs is 0; ${timer} 1 to 2147483647 (24 days)`,
    ],
    [
      "a misspelt timeout",
      { timeouts: { headerMs: 1 } },
      "timeouts.headerMs is unknown; did you mean headersMs?",
    ],
    [
      "a store that is a number",
      { store: 42 },
      "store is 42; expected a store, such as createMemoryStore() or await openSqliteStore({ path })",
    ],
    [
      "a store that is not open yet",
      { store: Promise.resolve() },
      "store is a promise that was not awaited; expected a store, such as createMemoryStore() or await openSqliteStore({ path })",
    ],
    [
      "a key in plain text, without showing it",
      { secretKeys: "c2VjcmV0" },
      'secretKeys is a string; expected a list of keys, such as [parseSealKey("k1", base64)]',
    ],
    [
      "keys in plain text, without showing them",
      { secretKeys: ["c2VjcmV0"] },
      'secretKeys is a list; expected a list of keys, such as [parseSealKey("k1", base64)]',
    ],
    [
      "TLS without a key",
      { tls: { cert: "x" } },
      "tls is an object with cert; expected an object with key and cert, both in PEM",
    ],
    [
      "gRPC as a switch",
      { grpc: true },
      "grpc is true; expected an object such as { port: 4101 }, or false",
    ],
    [
      "a gRPC port that is none",
      { grpc: { port: -1 } },
      "grpc.port is -1; expected a whole number from 0 to 65535",
    ],
    [
      "an address where cards are told whether to list gRPC",
      { grpc: { inCard: "agents.example.com:4101" } },
      'grpc.inCard is "agents.example.com:4101"; expected true or false',
    ],
    [
      "one port for HTTP and gRPC",
      { port: 4101, grpc: {} },
      "port and grpc.port are both 4101; expected two different ports",
    ],
    [
      "a rate without a burst",
      { callLimits: { perAddress: { requests: { perSecond: 1 } } } },
      "callLimits.perAddress.requests.burst is missing; expected a whole number from 1",
    ],
    [
      "an authenticator that is none",
      { auth: "secret" },
      "auth is a string; expected an authenticator: createAuthenticator({ schemes })",
    ],
    [
      "an audit log by its path",
      { audit: "audit.jsonl" },
      'audit is "audit.jsonl"; expected an audit log, such as await openAuditLog(path)',
    ],
    [
      "a misspelt option of push",
      { push: { alowPrivate: true } },
      "push.alowPrivate is unknown; did you mean allowPrivate?",
    ],
    [
      "networks that are no list",
      { push: { allowPrivate: "10.0.0.0/8" } },
      'push.allowPrivate is "10.0.0.0/8"; expected true, false or a list such as ["10.20.0.0/16"]',
    ],
  ])("%s", async (_, options, problem) => {
    expect(await refusal(echo, options)).toBe(`serve(): ${problem}`);
  });

  it("the paths of a key and a certificate in place of their contents", async () => {
    const message = await refusal(echo, { tls: { key: "./key.pem", cert: "./cert.pem" } });
    expect(message).toMatch(
      /^serve\(\): tls has no usable key and certificate \(.*\); expected the contents of the files in PEM, not their paths$/,
    );
  });
});

it("serve() takes options that are undefined for absent ones", async () => {
  const options = { port: 0, store: createMemoryStore(), settings: { leaseMs: undefined } };
  const undefinedOnes = { host: undefined, grpc: undefined, cors: undefined, tls: undefined };
  await using server = await serve(echo, {
    ...options,
    ...undefinedOnes,
  } as unknown as ServeOptions);
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
});

describe("a port that is taken", () => {
  it("is named with what to do, before the store is opened", async () => {
    await using folder = await openFolder();
    await using other = await occupyPort();
    const store = folder.file();
    await expect(serve(echo, { port: other.port, store, grpc: { port: 0 } })).rejects.toMatchObject(
      {
        message: `port ${other.port} is in use; choose another with { port } or stop the other program`,
      },
    );
    expect(existsSync(store)).toBe(false);
  });

  it("is that of HTTP where gRPC would find its port taken, too", async () => {
    await using first = await serve(echo, {
      port: 0,
      store: createMemoryStore(),
      grpc: { port: 0 },
    });
    const grpcPort = Number(first.grpcAddress?.split(":").at(-1));
    const same = { port: first.port, grpc: { port: grpcPort }, store: createMemoryStore() };
    await expect(serve(echo, same)).rejects.toMatchObject({
      code: "EADDRINUSE",
      port: first.port,
    });
  });

  it("for gRPC leaves neither the other port, nor a lease, nor an open store behind", async () => {
    await using folder = await openFolder();
    await using other = await occupyPort();
    const port = await freePort();
    const store = folder.file();
    await expect(serve(echo, { port, store, grpc: { port: other.port } })).rejects.toMatchObject({
      message: `port ${other.port} is in use; choose another with { grpc: { port } } or stop the other program`,
    });
    expect(await isListening(port)).toBe(false);
    // A store that is closed leaves one file.
    expect(existsSync(`${store}-wal`)).toBe(false);
    using raw = openRaw(store);
    expect(raw.all("SELECT * FROM nodes")).toEqual([]);
  });
});

it("an address of another machine is refused with what to do", async () => {
  const auth = authenticatorOf(async () => undefined);
  const options = { port: 0, host: "192.0.2.1", auth, store: createMemoryStore() };
  await expect(serve(echo, options)).rejects.toMatchObject({
    message: "this machine has no address 192.0.2.1; choose another with { host }",
  });
});

it("a store that cannot be opened leaves no port behind", async () => {
  await using folder = await openFolder();
  const port = await freePort();
  await mkdir(folder.file());
  await expect(serve(echo, { port, store: folder.file() })).rejects.toThrow("it is a folder");
  expect(await isListening(port)).toBe(false);
});

it("calls that come before the store is open wait for it", async () => {
  const port = await freePort();
  const memory = createMemoryStore();
  const opening = createGate();
  const slow = Object.assign(Object.create(memory) as typeof memory, {
    renewNode: async (...lease: Parameters<typeof memory.renewNode>) => {
      await opening.opened;
      return memory.renewNode(...lease);
    },
  });
  const serving = serve(echo, { port, store: slow });
  await expect.poll(() => isListening(port)).toBe(true);
  const url = `http://127.0.0.1:${port}`;
  const early = send(url, "GET /.well-known/agent-card.json");
  opening.open();
  await using _server = await serving;
  expect((await early).status).toBe(200);
  expect((await send(url, "GET /readyz")).status).toBe(200);
});

it("a runtime is refused by serve() with words that fit a real one", async () => {
  await using runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
  expect(await refusal(runtime, {})).toBe(
    "serve(): got a runtime, which has its agent already; expected the agent itself",
  );
});
