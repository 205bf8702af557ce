import { connect } from "node:net";
import type { Socket } from "node:net";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { send } from "../support/clients/http-client.js";
import { tlsPath } from "../support/files/tls.js";
import { openServer } from "../support/servers/open-server.js";
import { openWatchedServer } from "../support/servers/open-watched-server.js";

const megabyte = 1024 * 1024;
const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** A connection that sends what it is told, reads what comes, and survives the end of its server. */
function open(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.resume();
  return socket;
}

/** Sends bytes on a connection, and waits until they have left this process. */
function deliver(socket: Socket, bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

async function openAll(
  port: number,
  count: number,
  bytes: string | Buffer,
): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => open(port));
  await Promise.all(sockets.map((socket) => deliver(socket, bytes)));
  return sockets;
}

/** Waits until the server has read what has come: with each answer it reads a piece from every connection. */
async function letRead(url: string): Promise<void> {
  for (let round = 0; round < 100; round += 1) await send(url, "GET /healthz");
}

function closeAll(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy();
}

const message = (text: string) => ({
  message: { messageId: "m", role: "ROLE_USER", parts: [{ text }] },
});

describe("what callers without credentials can hold", () => {
  it("of answers that they do not read is a few for each connection", async () => {
    await using server = await openWatchedServer({ isProtected: true, heapMb: 128 });
    const before = await server.observe();
    const bytes = "GET /tasks HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100_000);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(server.port, "127.0.0.1").on("error", () => undefined);
      socket.pause();
      socket.write(bytes);
      return socket;
    });
    // Those who are not cut have their requests left in the buffers of the sockets.
    await expect
      .poll(() => sockets.filter(({ writable }) => writable).length, { timeout: 60_000 })
      .toBeLessThan(10);
    await letRead(server.url);
    const after = await server.observe();
    expect(after.rss - before.rss).toBeLessThan(100 * megabyte);
    closeAll(sockets);
  });

  it("of bodies that never end is bounded, and keeps nobody from sending", async () => {
    await using server = await openWatchedServer({
      maxBodyBytesInFlight: 16 * megabyte,
      heapMb: 64,
    });
    const before = await server.observe();
    const begun = `${head}Content-Length: ${4 * megabyte}\r\n\r\n${"x".repeat(3 * megabyte)}`;
    const sockets = await openAll(server.port, 100, begun);
    await letRead(server.url);
    const after = await server.observe();
    expect(after.rss - before.rss).toBeLessThan(150 * megabyte);
    const json = message("x".repeat(2 * megabyte));
    const answer = await send(server.url, "POST /message:send", { json });
    expect(answer.status).toBe(200);
    closeAll(sockets);
  });

  it("is told to those whose body is given up", async () => {
    await using server = await openWatchedServer({ maxBodyBytesInFlight: 2 * megabyte });
    const silent = open(server.port);
    const told = new Promise<string>((resolve) =>
      silent.setEncoding("latin1").once("data", resolve),
    );
    await deliver(silent, `${head}Content-Length: ${4 * megabyte}\r\n\r\n${"x".repeat(megabyte)}`);
    await letRead(server.url);
    const json = message("x".repeat(1.5 * megabyte));
    expect((await send(server.url, "POST /message:send", { json })).status).toBe(200);
    expect(await told).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1\r\n/is);
    silent.destroy();
  });

  it("of a body in pieces of one byte is that body", async () => {
    await using server = await openWatchedServer({ heapMb: 64 });
    const before = await server.observe();
    const piece = "1\r\nx\r\n".repeat(10_000);
    const sockets = await openAll(server.port, 1, `${head}Transfer-Encoding: chunked\r\n\r\n`);
    for (let round = 0; round < 100; round += 1) await deliver(sockets[0]!, piece);
    const answer = await send(server.url, "GET /tasks");
    expect(answer.status).toBe(200);
    const after = await server.observe();
    expect(after.rss - before.rss).toBeLessThan(60 * megabyte);
    closeAll(sockets);
  });

  it("of bodies is little where callers have to authenticate", async () => {
    await using server = await openWatchedServer({ isProtected: true, heapMb: 64 });
    const before = await server.observe();
    const begun = `${head}Content-Length: ${9 * megabyte}\r\n\r\n${"x".repeat(2 * megabyte)}`;
    const sockets = await openAll(server.port, 100, begun);
    await letRead(server.url);
    const after = await server.observe();
    expect(after.held - before.held).toBeLessThan(16 * megabyte);
    expect(after.rss - before.rss).toBeLessThan(100 * megabyte);
    closeAll(sockets);
  });

  it("of headers is bounded by the connections, and those by the server", async () => {
    const maxConnections = 1000;
    await using server = await openWatchedServer({ maxConnections, heapMb: 64 });
    const before = await server.observe();
    const headers = Array.from({ length: 15 }, (_, index) => `X-${index}: ${"x".repeat(1000)}\r\n`);
    const unfinished = `GET /tasks HTTP/1.1\r\nHost: localhost\r\n${headers.join("")}`;
    const sockets = await openAll(server.port, 1500, unfinished);
    await expect
      .poll(() => sockets.filter(({ closed }) => closed).length)
      .toBeGreaterThanOrEqual(500);
    const after = await server.observe();
    const each = (after.rss - before.rss) / maxConnections;
    expect(each).toBeLessThan(40 * 1024);
    closeAll(sockets);
  });
});

describe("a request that does not come to its end", () => {
  const timeouts = { headersMs: 3000, requestMs: 3500 };

  /** How long the server waits for the rest of a request that sends a byte now and then, or none. */
  async function patience(port: number, bytes: string, drip?: string): Promise<number> {
    const begun = performance.now();
    const socket = open(port);
    if (bytes !== "") socket.write(bytes);
    const dripping = setInterval(() => drip !== undefined && socket.write(drip), 200);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(dripping);
    return performance.now() - begun;
  }

  it.each<[string, number, string, string?]>([
    ["nothing at all", 3000, ""],
    ["half a head", 3000, "POST / HTTP/1.1\r\nHost: localhost\r\n"],
    ["a head byte by byte", 3000, "POST / HTTP/1.1\r\nHost: localhost\r\nX-A: ", "x"],
    ["half a body", 3500, `${head}Content-Length: 1000\r\n\r\n{`],
    ["a body byte by byte", 3500, `${head}Content-Length: 1000\r\n\r\n{`, " "],
    ["a body in chunks", 3500, `${head}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n"],
  ])("is cut off when its time is over: %s", async (_, limitMs, bytes, drip) => {
    await using server = await openServer({ timeouts });
    const waited = await patience(server.port, bytes, drip);
    expect(waited).toBeGreaterThan(limitMs - 200);
    // Twice the time, if the server did not look often enough.
    expect(waited).toBeLessThan(limitMs + 2000);
  });

  it("is cut off before TLS is agreed upon, too", async () => {
    const [key, cert] = await Promise.all(
      ["localhost-key", "localhost-cert"].map((name) => readFile(tlsPath(name))),
    );
    await using server = await openServer({ timeouts, tls: { key, cert } });
    expect(await patience(server.port, "")).toBeLessThan(5000);
  });
});
