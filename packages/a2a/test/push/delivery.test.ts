import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { createPushSender } from "@parley/a2a/node";
import type { PushSenderOptions } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import { notificationTo, patient } from "./notifications.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { readTls } from "../support/files/tls.js";

/** Noon of a day, by the clock that the sender is given. */
const noon = Date.parse("2026-03-04T12:00:00Z");

function openSender(options: PushSenderOptions = {}) {
  const sender = createPushSender({ allowPrivate: true, now: () => noon, ...options });
  return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
}

describe("a notification", () => {
  it("is posted with the token, the credentials and what tells it apart from others", async () => {
    verifies("push:receiver-unique-token");
    verifies(
      "push:post",
      "push:payload",
      "push:content-type",
      "push:credentials",
      "push:token",
      "push:http-json",
    );
    await using receiver = await openReceiver();
    await using sender = openSender();
    const notification = notificationTo(`${receiver.url}/hook?task=1#part`);
    const authentication = { scheme: "Bearer", credentials: "abc" };
    const config = { ...notification.config, token: "secret", authentication };
    const outcome = await sender.send({ ...notification, config }, patient);
    expect(outcome).toEqual({ kind: "arrived" });
    const [received] = receiver.received;
    expect(received).toMatchObject({
      method: "POST",
      path: "/hook?task=1",
      headers: {
        host: `127.0.0.1:${receiver.port}`,
        "content-type": "application/a2a+json",
        "a2a-version": "1.0",
        authorization: "Bearer abc",
        "x-a2a-notification-token": "secret",
        "x-a2a-notification-id": "n1",
        "x-a2a-notification-sequence": "2",
      },
    });
    expect(JSON.parse(String(received?.body))).toEqual(notification.event);
  });

  it.each([
    ["0.1", { eventType: "taskUpdate", taskId: "t1", id: "t1", status: { state: "working" } }],
    ["0.3", { kind: "task", id: "t1", status: { state: "working" } }],
    ["0.3+type", { kind: "task", id: "t1", status: { state: "working" } }],
    ["0.3-proto", { kind: "task", id: "t1", status: { state: "working" } }],
    ["0.1+0.3", { kind: "task", id: "t1", status: { state: "working" } }],
  ])("is the whole task in %s", async (dialect, body) => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    await sender.send(notificationTo(receiver.url, { dialect }), patient);
    const [received] = receiver.received;
    expect(received?.headers["content-type"]).toBe("application/json");
    expect(received?.headers["a2a-version"]).toBe(dialect.slice(0, 3));
    expect(JSON.parse(String(received?.body))).toMatchObject(body);
  });

  it("is the event in 0.3-schema, with the states of 0.3", async () => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    await sender.send(notificationTo(receiver.url, { dialect: "0.3-schema" }), patient);
    const [received] = receiver.received;
    expect(received?.headers).toMatchObject({
      "content-type": "application/json",
      "a2a-version": "0.3",
    });
    expect(JSON.parse(String(received?.body))).toMatchObject({
      statusUpdate: { taskId: "t1", status: { state: "working" }, final: false },
    });
  });

  it.each(["1.0", "0.3-schema"])("does not ask for the task in %s", async (dialect) => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    const task = () => Promise.reject(new Error("not to be asked for"));
    const outcome = await sender.send(notificationTo(receiver.url, { task, dialect }), patient);
    expect(outcome).toEqual({ kind: "arrived" });
  });

  it("carries the headers that were registered, but for those of the connection and of ours", async () => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    const notification = notificationTo(receiver.url);
    const headers = {
      "X-Route": "eu",
      authorization: "Key 123",
      Host: "elsewhere.example",
      "content-length": "1",
      "Content-Type": "text/plain",
      "Transfer-Encoding": "chunked",
      Connection: "close",
      Expect: "100-continue",
      TE: "trailers",
      "Proxy-Authorization": "Basic eA==",
      "x-a2a-notification-id": "mine",
    };
    await sender.send({ ...notification, config: { ...notification.config, headers } }, patient);
    expect(receiver.received[0]?.headers).toMatchObject({
      "x-route": "eu",
      authorization: "Key 123",
      host: `127.0.0.1:${receiver.port}`,
      "content-type": "application/a2a+json",
      "x-a2a-notification-id": "n1",
      connection: "keep-alive",
    });
    for (const name of ["transfer-encoding", "expect", "te", "proxy-authorization"]) {
      expect(receiver.received[0]?.headers).not.toHaveProperty(name);
    }
  });

  it("authenticates as configured rather than by a registered header", async () => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    const notification = notificationTo(receiver.url);
    const config = {
      ...notification.config,
      authentication: { scheme: "Basic", credentials: "dTpw", schemes: ["Basic", "Bearer"] },
      headers: { AUTHORIZATION: "Key 123" },
    };
    await sender.send({ ...notification, config }, patient);
    expect(receiver.received[0]?.headers.authorization).toBe("Basic dTpw");
  });

  it("goes over TLS to a receiver whose authority is trusted, and to no other", async () => {
    const cert = readTls("localhost-cert");
    await using receiver = await openReceiver({ tls: { key: readTls("localhost-key"), cert } });
    const url = `https://localhost:${receiver.port}/`;
    await using strict = openSender();
    expect(await strict.send(notificationTo(url), patient)).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/^the receiver cannot be reached \(\w*SIGNED_CERT\w*\)$/),
    });
    expect(receiver.received).toHaveLength(0);
    await using trusting = openSender({ tls: { ca: cert } });
    const outcome = await trusting.send(notificationTo(url), patient);
    expect(outcome).toEqual({ kind: "arrived" });
  });
});

describe("an answer", () => {
  it.each([
    [200, {}, { kind: "arrived" }],
    [202, {}, { kind: "arrived" }],
    [204, { "Retry-After": "7" }, { kind: "arrived" }],
    [304, {}, failed("the receiver redirects (304), which is not followed")],
    [400, {}, failed("the receiver answered 400")],
    [401, {}, failed("the receiver answered 401")],
    [404, {}, failed("the receiver answered 404")],
    [410, {}, { ...failed("the receiver answered 410"), isFinal: true }],
    [413, {}, { ...failed("the receiver answered 413"), isFinal: true }],
    [429, { "Retry-After": "7" }, { ...failed("the receiver answered 429"), retryAfterMs: 7000 }],
    [
      503,
      { "Retry-After": "Wed, 04 Mar 2026 12:01:30 GMT" },
      { ...failed("the receiver answered 503"), retryAfterMs: 90_000 },
    ],
    [
      503,
      { "Retry-After": "Wed, 04 Mar 2026 11:00:00 GMT" },
      { ...failed("the receiver answered 503"), retryAfterMs: 0 },
    ],
    [503, { "Retry-After": "soon" }, failed("the receiver answered 503")],
    [
      503,
      { "Retry-After": "999999999999" },
      { ...failed("the receiver answered 503"), retryAfterMs: 86_400_000 },
    ],
    [500, {}, failed("the receiver answered 500")],
  ])("of %i with %j means %j", async (status, headers, outcome) => {
    await using receiver = await openReceiver({
      answer: (response) => response.writeHead(status, headers).end(),
    });
    await using sender = openSender();
    expect(await sender.send(notificationTo(receiver.url), patient)).toEqual(outcome);
  });

  it("that does not come in time is a failure, and its connection is given up", async () => {
    await using receiver = await openReceiver({ answer: () => {} });
    await using sender = openSender();
    const controller = new AbortController();
    const sending = sender.send(notificationTo(receiver.url), controller.signal);
    await receiver.until(1);
    controller.abort();
    expect(await sending).toEqual(failed("the receiver did not answer in time"));
  });

  it("that breaks off is a failure", async () => {
    await using receiver = await openReceiver({
      answer: (response) => response.socket?.destroy(),
    });
    await using sender = openSender();
    expect(await sender.send(notificationTo(receiver.url), patient)).toEqual(
      failed("the receiver cannot be reached (ECONNRESET)"),
    );
  });

  it("counts by its head; a body without end is cut off", async () => {
    let written = 0;
    let isCutOff = false;
    await using receiver = await openReceiver({
      answer(response) {
        response.writeHead(200);
        const chunk = Buffer.alloc(64 * 1024);
        const pour = (): void => {
          written += chunk.byteLength;
          response.write(chunk);
        };
        response.on("drain", pour);
        response.once("close", () => (isCutOff = true));
        pour();
      },
    });
    await using sender = openSender();
    const outcome = await sender.send(notificationTo(receiver.url), patient);
    expect(outcome).toEqual({ kind: "arrived" });
    await expect.poll(() => isCutOff).toBe(true);
    // No more than fits into the buffers on the way.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it("counts by its head; a body that does not come is not waited for", async () => {
    let isCutOff = false;
    await using receiver = await openReceiver({
      answer(response) {
        response.once("close", () => (isCutOff = true));
        response.writeHead(200).flushHeaders();
      },
    });
    await using sender = openSender();
    const outcome = await sender.send(notificationTo(receiver.url), patient);
    expect(outcome).toEqual({ kind: "arrived" });
    await expect.poll(() => isCutOff).toBe(true);
  });
});

describe("connections", () => {
  it("are kept for what comes next", async () => {
    await using receiver = await openReceiver({
      answer: (response) => response.end("thank you"),
    });
    await using sender = openSender();
    for (let count = 0; count < 5; count += 1) {
      await sender.send(notificationTo(receiver.url), patient);
      // The connection is free once the rest of the answer is here.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(receiver.received).toHaveLength(5);
    expect(receiver.connections).toBeLessThan(5);
  });

  it("that were closed meanwhile are made anew, without a failure", async () => {
    await using receiver = await openReceiver();
    await using sender = openSender();
    for (let count = 0; count < 5; count += 1) {
      const outcome = await sender.send(notificationTo(receiver.url), patient);
      expect(outcome).toEqual({ kind: "arrived" });
      receiver.hangUp();
    }
    expect(receiver.received).toHaveLength(5);
  });

  it("that end while a notification is on its way are made anew, without a failure", async () => {
    let requests = 0;
    const server = createServer((socket) => {
      let isUsed = false;
      socket.on("error", () => {});
      socket.on("data", () => {
        requests += 1;
        // What is kept is over just when it is used again.
        if (isUsed) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 204 No Content\r\n\r\n");
        isUsed = true;
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    await using sender = openSender();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (let count = 0; count < 3; count += 1) {
      expect(await sender.send(notificationTo(url), patient)).toEqual({ kind: "arrived" });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(requests).toBeGreaterThan(3);
    server.close();
  });

  it("to one receiver are not more than allowed", async () => {
    verifies("push:receiver-rate-limit");
    const waiting: (() => void)[] = [];
    await using receiver = await openReceiver({
      answer: (response) => waiting.push(() => response.end()),
    });
    await using sender = openSender({ maxConnectionsPerHost: 3 });
    const sending = Array.from({ length: 8 }, () =>
      sender.send(notificationTo(receiver.url), patient),
    );
    for (let count = 0; count < 8; count += 1) {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    }
    expect(new Set((await Promise.all(sending)).map(({ kind }) => kind))).toEqual(
      new Set(["arrived"]),
    );
    expect(receiver.connections).toBeLessThanOrEqual(3);
  });

  it("are kept up to a number, and nobody waits for what is kept for others", async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, () => openReceiver()));
    await using sender = openSender({ maxIdleConnections: 2 });
    for (const round of [1, 2]) {
      for (const { url } of receivers) {
        expect(await sender.send(notificationTo(url), patient)).toEqual({ kind: "arrived" });
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(receivers.map(({ received }) => received.length)).toEqual(receivers.map(() => round));
    }
    const made = receivers.reduce((sum, { connections }) => sum + connections, 0);
    expect(made).toBeGreaterThanOrEqual(2 * (receivers.length - 2));
    for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
  });

  it("end with the sender", async () => {
    await using receiver = await openReceiver({ answer: () => {} });
    await using sender = openSender();
    const sending = sender.send(notificationTo(receiver.url), patient);
    await receiver.until(1);
    await sender.close();
    expect(await sending).toMatchObject({ kind: "failed" });
  });
});

function failed(reason: string): { readonly kind: "failed"; readonly reason: string } {
  return { kind: "failed", reason };
}
