import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { connect } from "node:tls";
import type { ConnectionOptions } from "node:tls";
import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { requireScopes } from "@parley/a2a/auth";
import type { AuditEvent } from "@parley/a2a/auth";
import { openAuditLog, trustProxies } from "@parley/a2a/node";
import { newSealKey, parseSealKey } from "@parley/a2a/store";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import {
  jsonOf,
  open,
  rpc,
  say,
  sayEarlier,
  sayOldest,
  send,
} from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { verifies } from "../spec/verifies.js";
import { readTls } from "../support/files/tls.js";

/** `Bearer name scope…`: everybody is who it says, with the scopes it names. */
const auth = authenticatorOf(async (credentials) => {
  const [scheme, subject, ...scopes] = (credentials.header("authorization") ?? "").split(" ");
  if (scheme !== "Bearer" || subject === undefined || subject === "mallory") {
    throw new A2AError("UNAUTHENTICATED", "the credentials are not valid", {
      cause: new Error("bearer: unknown"),
    });
  }
  return { subject, scopes };
});

const as = (name: string) => ({ Authorization: `Bearer ${name}` });

function recorder() {
  const events: AuditEvent[] = [];
  return { events, audit: { record: (event: AuditEvent) => events.push(event) } };
}

describe("who lacks a scope", () => {
  it("is refused in every binding and dialect as each has it", async () => {
    verifies("auth:forbidden", "auth:missing-permission", "auth:native-code", "auth:model");
    await using server = await openServed({ auth, authorize: requireScopes() });
    const headers = as("ann a2a:read");
    for (const [method, params] of [
      ["SendMessage", say("echo x")],
      ["message/send", sayEarlier("echo x")],
      ["tasks/send", sayOldest("t", "echo x")],
    ] as const) {
      const answer = await send(server.url, "POST /", rpc(method, params, headers));
      expect([answer.status, jsonOf(answer).error.code]).toEqual([403, -32000]);
    }
    const sent = { headers, json: say("echo x") };
    const rest = await send(server.url, "POST /message:send", sent);
    expect([rest.status, jsonOf(rest).error.status]).toEqual([403, "PERMISSION_DENIED"]);
    expect(jsonOf(rest).error.message).toBe("this operation requires the scope a2a:send");
    const stream = rpc("SendStreamingMessage", say("echo x"), headers);
    expect((await send(server.url, "POST /", stream)).status).toBe(403);
    const client = new RawClient(addressOf(server));
    const metadata = { authorization: headers.Authorization };
    for (const [version, request] of [
      ["0.3", { name: "tasks/t" }],
      ["1.0", { id: "t" }],
    ] as const) {
      const { error } = await client.call(version, "CancelTask", request, { metadata });
      expect(error?.code).toBe(status.PERMISSION_DENIED);
    }
    client.client.close();
    expect((await send(server.url, "GET /tasks", { headers })).status).toBe(200);
  });
});

describe("who calls too often", () => {
  const once = { requests: { perSecond: 0.01, burst: 1 } };

  it("is told when to come back, in every binding and dialect", async () => {
    verifies("security:rate-limit", "security:rate-limit-error");
    await using server = await openServed({ auth, callLimits: { perPrincipal: once } });
    await send(server.url, "GET /tasks", { headers: as("ann") });
    for (const [method, params] of [
      ["GetTask", { id: "t" }],
      ["tasks/get", { id: "t" }],
      ["tasks/send", sayOldest("t", "echo x")],
    ] as const) {
      const answer = await send(server.url, "POST /", rpc(method, params, as("ann")));
      expect([answer.status, jsonOf(answer).error.code]).toEqual([429, -32000]);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(90);
    }
    const rest = await send(server.url, "GET /tasks", { headers: as("ann") });
    expect([rest.status, Number(rest.headers["retry-after"]) > 90]).toEqual([429, true]);
    const client = new RawClient(addressOf(server));
    const metadata = { authorization: "Bearer ann" };
    const { error } = await client.call("1.0", "GetTask", { id: "t" }, { metadata });
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
    client.client.close();
    expect((await send(server.url, "GET /tasks", { headers: as("bob") })).status).toBe(200);
  });

  it("is counted by its address while it guesses, and is not looked at any more", async () => {
    verifies("security:authentication-failures");
    const { events, audit } = recorder();
    const rate = { requests: { perSecond: 0.01, burst: 3 } };
    await using server = await openServed({
      auth,
      audit,
      callLimits: { perAddress: rate },
      trustsProxy: trustProxies(["loopback"]),
    });
    const from = (address: string, name: string) =>
      send(server.url, "GET /tasks", { headers: { ...as(name), "X-Forwarded-For": address } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      statuses.push((await from("198.51.100.1", "mallory")).status);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    expect((await from("198.51.100.2", "ann")).status).toBe(200);
    expect(events.filter(({ decision }) => decision === "limit")).toHaveLength(2);
    expect(new Set(events.map(({ address }) => address))).toEqual(
      new Set(["198.51.100.1", "198.51.100.2"]),
    );
  });

  it("is counted where nobody has to say who it is", async () => {
    await using server = await openServed({ callLimits: { perAddress: once } });
    expect((await send(server.url, "GET /tasks")).status).toBe(200);
    expect((await send(server.url, "GET /tasks")).status).toBe(429);
    const client = new RawClient(addressOf(server));
    const { error } = await client.call("1.0", "GetTask", { id: "t" });
    expect(error?.code).toBe(status.RESOURCE_EXHAUSTED);
    client.client.close();
    expect((await send(server.url, "GET /.well-known/agent-card.json")).status).toBe(200);
  });

  it("on too many streams gets no more until one is closed", async () => {
    const callLimits = { perPrincipal: { concurrentStreams: 1 } };
    await using server = await openServed({ auth, callLimits, settings: { stopGraceMs: 100 } });
    const stream = rpc("SendStreamingMessage", say("wait 30"), as("ann"));
    const first = await open(server.url, "POST /", stream);
    first.on("error", () => undefined);
    expect(first.statusCode).toBe(200);
    const second = await send(server.url, "POST /", stream);
    expect([second.status, second.headers["retry-after"]]).toEqual([429, "1"]);
    const bob = await open(server.url, "POST /", { ...stream, headers: as("bob") });
    bob.on("error", () => undefined);
    expect(bob.statusCode).toBe(200);
    bob.destroy();
    first.destroy();
    let last: number | undefined;
    while (last !== 200) {
      const again = await open(server.url, "POST /", stream);
      again.on("error", () => undefined);
      last = again.statusCode;
      again.destroy();
    }
  });
});

describe("an audit log", () => {
  it("has every decision about a request under one id, and no secret", async () => {
    verifies("security:monitoring");
    verifies("security:audit-trail", "security:events-logged", "security:logs-clean");
    await using folder = await openFolder();
    const path = join(folder.path, "audit.jsonl");
    {
      await using audit = await openAuditLog(path);
      await using server = await openServed({ auth, audit, authorize: requireScopes() });
      const id = { "X-Request-Id": "req-1" };
      const headers = { ...as("ann a2a:send"), ...id, Cookie: "session=hush" };
      const config = { url: "https://hook.example/?k=hush", token: "hush" };
      const configuration = { taskPushNotificationConfig: config };
      await send(
        server.url,
        "POST /",
        rpc("SendMessage", say("echo hush", {}, configuration), headers),
      );
      await send(server.url, "GET /tasks/t1", { headers: as("ann a2a:read") });
      await send(server.url, "GET /tasks", { headers: as("mallory") });
      await send(server.url, "GET /tasks", { headers: as("eve") });
      const client = new RawClient(addressOf(server));
      const metadata = { authorization: "Bearer ann a2a:read", "x-request-id": "req-2" };
      await client.call("1.0", "GetTask", { id: "t2" }, { metadata });
      client.client.close();
    }
    const text = await readFile(path, "utf8");
    expect(text).not.toMatch(/hush|Bearer|hook\.example/);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditEvent);
    const told = events.map(({ decision, outcome, subject, operation, code }) =>
      [decision, outcome, subject ?? "-", operation ?? "-", code ?? "-"].join(" "),
    );
    expect(told).toEqual([
      "authentication allowed ann - -",
      "authorization allowed ann sendMessage -",
      "authentication allowed ann - -",
      "authorization allowed ann getTask -",
      "authorization denied ann getTask TASK_NOT_FOUND",
      "authentication denied - - UNAUTHENTICATED",
      "authentication allowed eve - -",
      "authorization denied eve listTasks PERMISSION_DENIED",
      "authentication allowed ann - -",
      "authorization allowed ann getTask -",
      "authorization denied ann getTask TASK_NOT_FOUND",
    ]);
    const ids = events.map(({ requestId }) => requestId);
    expect([ids[0], ids[1], ids[8], ids[9], ids[10]]).toEqual([
      "req-1",
      "req-1",
      "req-2",
      "req-2",
      "req-2",
    ]);
    expect([ids[2], ids[6]]).toEqual([ids[3], ids[7]]);
    expect(new Set(ids).size).toBe(5);
    expect(events.every(({ address }) => address === "127.0.0.1")).toBe(true);
    expect(events[2]).toMatchObject({ at: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    expect(events[5]).toMatchObject({ reason: "bearer: unknown" });
  });
});

describe("secrets", () => {
  it("are unreadable in the store of a server that has keys, and sent as they are", async () => {
    const store = createMemoryStore();
    const secretKeys = [parseSealKey("k1", newSealKey())];
    await using server = await openServed({ store, secretKeys });
    const { task } = jsonOf(
      await send(server.url, "POST /", rpc("SendMessage", say("flight"))),
    ).result;
    const config = { taskId: task.id, id: "c", url: "https://hook.example/?k=hush", token: "hush" };
    await send(server.url, "POST /", rpc("CreateTaskPushNotificationConfig", config));
    const kept = await store.loadPushConfig(task.id, "c");
    expect(kept?.config.token).toMatch(/^parley-sealed:k1\./);
    expect(JSON.stringify(kept)).not.toContain("hush");
    const read = rpc("GetTaskPushNotificationConfig", { taskId: task.id, id: "c" });
    const { result } = jsonOf(await send(server.url, "POST /", read));
    expect(result.url).toBe("https://hook.example/?k=hush");
  });
});

it("keys that are none stop the server before it opens anything", async () => {
  await using folder = await openFolder();
  const store = join(folder.path, "tasks.db");
  const secretKeys = [{ id: "k", bytes: new Uint8Array(16) }];
  await expect(openServed({ store, secretKeys })).rejects.toThrow("the key k has 16 bytes, not 32");
  expect(await readdir(folder.path)).toEqual([]);
});

describe("readiness", () => {
  it("is that of the store", async () => {
    const store = createMemoryStore();
    await using server = await openServed({ store });
    const ready = await send(server.url, "GET /readyz");
    expect([ready.status, ready.text]).toEqual([200, '{"status":"ready"}\n']);
    await store.close();
    const unready = await send(server.url, "GET /readyz");
    expect([unready.status, JSON.parse(unready.text)]).toEqual([
      503,
      { status: "unready", reasons: { store: "the store is closed" } },
    ]);
    expect((await send(server.url, "GET /healthz")).status).toBe(200);
  });

  it("comes back with a store whose check has thrown", async () => {
    const memory = createMemoryStore();
    let isBroken = true;
    const check = (): Promise<void> => {
      if (isBroken) throw new Error("the check is broken");
      return memory.check();
    };
    await using server = await openServed({ store: { ...memory, check } });
    expect((await send(server.url, "GET /readyz")).status).toBe(503);
    isBroken = false;
    expect((await send(server.url, "GET /readyz")).status).toBe(200);
  });

  it("is asked for once at a time, however many want to know", async () => {
    const memory = createMemoryStore();
    let checks = 0;
    let answer = (): void => undefined;
    const check = (): Promise<void> => {
      checks += 1;
      return new Promise((resolve) => (answer = resolve));
    };
    await using server = await openServed({ store: { ...memory, check } });
    const asked = Array.from({ length: 20 }, () => send(server.url, "GET /readyz"));
    await expect.poll(() => checks).toBe(1);
    // Each is on a connection of its own; when one that was made later is answered, they have been heard.
    expect((await send(server.url, "GET /healthz")).status).toBe(200);
    const rest = setInterval(() => answer(), 5);
    const statuses = (await Promise.all(asked)).map(({ status: code }) => code);
    clearInterval(rest);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(checks).toBeLessThan(20);
  });
});

describe("an address that others reach", () => {
  it("is not served to anyone unless that is allowed", async () => {
    await expect(openServed({ host: "0.0.0.0" })).rejects.toThrow(/--allow-anonymous/);
  });

  it("is served to callers who are known", async () => {
    await using server = await openServed({ host: "0.0.0.0", auth, grpc: false });
    const url = server.url.replace("0.0.0.0", "127.0.0.1");
    const headers = { ...as("ann"), Host: "any.example" };
    expect((await send(url, "GET /tasks", { headers })).status).toBe(200);
  });
});

describe("TLS", () => {
  function connectWith(
    port: number,
    versions: Pick<ConnectionOptions, "minVersion" | "maxVersion">,
  ): Promise<string | null> {
    return new Promise((resolve, reject) => {
      const ciphers = "DEFAULT:@SECLEVEL=0";
      const socket = connect({ port, rejectUnauthorized: false, ciphers, ...versions }, () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on("error", reject);
    });
  }

  it("is of a version that is still safe", async () => {
    verifies("security:modern-tls", "security:old-tls");
    const tls = { key: readTls("localhost-key"), cert: readTls("localhost-cert") };
    await using server = await openServed({ tls, grpc: false });
    for (const version of ["TLSv1", "TLSv1.1"] as const) {
      const old = { minVersion: version, maxVersion: version };
      await expect(connectWith(server.port, old)).rejects.toThrow();
    }
    expect(await connectWith(server.port, { maxVersion: "TLSv1.2" })).toBe("TLSv1.2");
    expect(await connectWith(server.port, {})).toBe("TLSv1.3");
  });

  it("is remembered by browsers where others reach the server, and not on this machine", async () => {
    verifies("security:hsts");
    const tls = { key: readTls("localhost-key"), cert: readTls("localhost-cert") };
    for (const [host, expected] of [
      ["0.0.0.0", "max-age=31536000"],
      ["127.0.0.1", undefined],
    ] as const) {
      await using server = await openServed({ tls, host, auth, grpc: false });
      const url = `https://127.0.0.1:${server.port}/healthz`;
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        get(url, { rejectUnauthorized: false }, resolve).on("error", reject);
      });
      answer.resume();
      expect(answer.headers["strict-transport-security"]).toBe(expected);
    }
  });
});
