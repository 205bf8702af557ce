import { connect as connectSocket } from "node:net";
import type { Socket } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { status } from "@grpc/grpc-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyParts, field, framed, RawPeer, saying } from "./raw-peer.js";
import type { RawCall } from "./raw-peer.js";
import { openServedProcess } from "./served-process.js";

const mega = 1_000_000;
const known = { "x-api-key": "secret" };
/** A busy machine takes its time for 360 MB. */
const isPatient = "grpc: { requestMs: 250_000 }";
const limited = "callLimits: { perAddress: { requests: { perSecond: 1000, burst: 1000 } } }";
const isProtected = `{ auth: keyAuth, ${limited}, ${isPatient} }`;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

async function statusesOf(calls: readonly RawCall[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const code of await Promise.all(calls.map((call) => call.status))) {
    const name = status[code] ?? "none";
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** An honest call: the server answers others. */
async function expectServed(port: number): Promise<void> {
  const call = new RawPeer(port).begin(known).end(saying("hello"));
  expect(await call.status).toBe(status.OK);
}

describe("40 messages of 9 MB of empty parts on one connection", () => {
  const attack = emptyParts(9 * mega);

  it("are refused without being read where they have no credentials", async () => {
    const { port, memory, isAlive } = await openServedProcess({ heapMb: 96, options: isProtected });
    const peer = new RawPeer(port);
    const calls = times(40, () => peer.begin().end(attack));
    expect(await statusesOf(calls)).toEqual({ UNAUTHENTICATED: 40 });
    await expectServed(port);
    expect(isAlive()).toBe(true);
    expect((await memory()).peakBuffers).toBeLessThan(20);
  });

  it.each([
    ["a known caller", isProtected],
    ["anyone, where anyone may call", `{ ${isPatient} }`],
  ])("are refused for their parts when they come from %s", async (_, options) => {
    const { port, memory, isAlive } = await openServedProcess({ heapMb: 96, options });
    const peer = new RawPeer(port);
    const calls = times(40, () => peer.begin(known).end(attack));
    expect(await statusesOf(calls)).toEqual({ INVALID_ARGUMENT: 40 });
    expect(await calls[0]?.details).toContain("it has more than 100000 parts");
    await expectServed(port);
    expect(isAlive()).toBe(true);
    // 32 MiB of messages, and what is on its way.
    expect((await memory()).peakBuffers).toBeLessThan(80);
  });
});

describe("messages that are never finished", () => {
  const unfinished = framed(Buffer.alloc(8 * mega), 9 * mega);

  it("are refused at once where they have no credentials", async () => {
    const { port, memory } = await openServedProcess({ heapMb: 96, options: isProtected });
    const peer = new RawPeer(port);
    const calls = times(200, () => peer.begin().write(unfinished));
    expect(await statusesOf(calls)).toEqual({ UNAUTHENTICATED: 200 });
    expect((await memory()).peakBuffers).toBeLessThan(40);
  });

  it("hold no more than a connection may, and are cut when they are late", async () => {
    const options = "{ grpc: { requestMs: 3000 } }";
    const { port, memory } = await openServedProcess({ heapMb: 96, options });
    const peer = new RawPeer(port);
    const calls = times(200, () => peer.begin().write(unfinished));
    // 16 MB of first bytes, 32 MiB of messages.
    await expectServed(port);
    expect(await statusesOf(calls)).toEqual({ DEADLINE_EXCEEDED: 200 });
    expect((await memory()).peakBuffers).toBeLessThan(80);
  });

  it("hold no more than all connections together may", async () => {
    const options = "{ grpc: { requestMs: 3000, maxBytesInFlight: 64 << 20 } }";
    const { port, memory } = await openServedProcess({ heapMb: 96, options });
    const calls = times(30, () => new RawPeer(port)).flatMap((peer) =>
      times(6, () => peer.begin().write(unfinished)),
    );
    await expectServed(port);
    expect(await statusesOf(calls)).toEqual({ DEADLINE_EXCEEDED: 180 });
    // 64 MiB of messages, 15 MB of first bytes, and what is on its way.
    expect((await memory()).peakBuffers).toBeLessThan(120);
  });

  it("let the others of their connection be read when they are cut", async () => {
    const bound = "{ maxBytesInFlightPerConnection: 1, requestMs: 1500 }";
    const options = `{ grpc: ${bound}, limits: { maxBodyBytes: 10e6, maxParts: 9, maxJsonDepth: 9, maxIdLength: 9 } }`;
    const { port } = await openServedProcess({ heapMb: 96, options });
    const peer = new RawPeer(port);
    const first = times(2, () => peer.begin().write(unfinished));
    const honest = peer.begin().end(saying("x".repeat(mega)));
    expect(await statusesOf(first)).toEqual({ DEADLINE_EXCEEDED: 2 });
    expect(await honest.status).not.toBe(-1);
  });
});

describe("a caller that is not known", () => {
  const hangs = "{ auth: neverAuth, grpc: { maxEarlyBytes: 8 << 20, requestMs: 4000 } }";

  it("is told nothing about its message but that it has no credentials", async () => {
    const { port } = await openServedProcess({ heapMb: 96, options: isProtected });
    const peer = new RawPeer(port);
    const malformed = [
      framed(Buffer.from("complete nonsense")),
      framed(Buffer.from([2 << 3, 7])),
      framed(Buffer.alloc(0), 4_000_000_000),
      Buffer.from([1, 0, 0, 0, 1, 0]),
      Buffer.alloc(3),
      Buffer.alloc(0),
    ];
    const calls = malformed.map((bytes) => peer.begin().end(bytes));
    const others = ["GetTask", "Unknown", "SubscribeToTask"].map((method) =>
      peer.begin({}, method).write(Buffer.alloc(1)),
    );
    expect(await statusesOf(calls)).toEqual({ UNAUTHENTICATED: malformed.length });
    expect(await statusesOf(others)).toEqual({ UNAUTHENTICATED: 2, UNIMPLEMENTED: 1 });
  });

  it("is counted by its address before its message has come", async () => {
    const options = "{ callLimits: { perAddress: { requests: { perSecond: 0.001, burst: 5 } } } }";
    const { port } = await openServedProcess({ heapMb: 96, options });
    const peer = new RawPeer(port);
    const calls = times(15, () => peer.begin().write(Buffer.alloc(3)));
    expect(await statusesOf(calls.slice(5))).toEqual({ RESOURCE_EXHAUSTED: 10 });
    expect(calls[0]?.stream.closed).toBe(false);
  });

  it("holds no more than the first bytes of all calls may take while it is asked who it is", async () => {
    const { port, memory } = await openServedProcess({ heapMb: 96, options: hangs });
    const unread = framed(Buffer.alloc(100_000), 9 * mega);
    const calls = times(20, () => new RawPeer(port)).flatMap((peer) =>
      times(40, () => peer.begin().write(unread)),
    );
    const { RESOURCE_EXHAUSTED: cut = 0, ...others } = await statusesOf(calls);
    expect(cut).toBeGreaterThan(600);
    expect(others).toEqual({ DEADLINE_EXCEEDED: 800 - cut });
    const { peakBuffers, peakGrowth } = await memory();
    expect(peakBuffers).toBeLessThan(20);
    expect(peakGrowth).toBeLessThan(150);
  });

  it("cannot hold much in frames of a byte each", async () => {
    const { port, memory } = await openServedProcess({
      heapMb: 96,
      options: "{ auth: neverAuth }",
    });
    const peer = new FramePeer(port);
    const ids = times(40, (index) => 2 * index + 1);
    const start = framed(Buffer.alloc(16_000), 9 * mega);
    for (const id of ids) peer.send(peer.headers(id), http2Frame(0, 0, id, start));
    for (const id of ids) {
      const frame = http2Frame(0, 0, id, Buffer.alloc(1));
      peer.send(Buffer.concat(times(20_000, () => frame)));
    }
    await expect.poll(() => peer.resets).toBe(40);
    const { heap, peakBuffers } = await memory();
    expect(heap).toBeLessThan(40);
    expect(peakBuffers).toBeLessThan(20);
  });

  it("does not keep callers who send little from being served", async () => {
    const options = "{ grpc: { maxEarlyBytes: 1 << 20, maxBytesInFlight: 1, requestMs: 4000 } }";
    const { port } = await openServedProcess({ heapMb: 96, options });
    const unread = framed(Buffer.alloc(100_000), 9 * mega);
    const attackers = times(10, () => new RawPeer(port));
    const calls = attackers.flatMap((peer) => times(20, () => peer.begin().write(unread)));
    for (let round = 0; round < 10; round += 1) await expectServed(port);
    await statusesOf(calls);
  });
});

describe("agents that differ in their callers", () => {
  const agents = '{ "/a": { agent: echo, auth: keyAuth }, "/b": { agent: other, auth: false } }';
  const unfinished = (...tenant: Buffer[]): Buffer =>
    framed(Buffer.concat([...tenant, field(2, Buffer.alloc(100_000)).subarray(0, 50_000)]), mega);

  it("refuse callers by the first bytes of their message", async () => {
    const { port } = await openServedProcess({ heapMb: 96, agents });
    const peer = new RawPeer(port);
    const call = peer.begin().write(unfinished(field(1, Buffer.from("a"))));
    expect(await call.status).toBe(status.UNAUTHENTICATED);
    expect(await peer.begin().end(saying("hi", "b")).status).toBe(status.OK);
    expect(await peer.begin().end(saying("hi", "a")).status).toBe(status.UNAUTHENTICATED);
    expect(await peer.begin(known).end(saying("hi", "a")).status).toBe(status.OK);
  });

  it("do not take one agent's callers for another's when the message names two", async () => {
    const { port } = await openServedProcess({ heapMb: 96, agents });
    const peer = new RawPeer(port);
    const [asB, asA] = ["b", "a"].map((tenant) => field(1, Buffer.from(tenant)));
    const message = saying("hi").subarray(5);
    const twice = framed(Buffer.concat([asB as Buffer, message, asA as Buffer]));
    expect(await peer.begin().end(twice).status).toBe(status.UNAUTHENTICATED);
    expect(await peer.begin(known).end(twice).status).toBe(status.OK);
  });

  it("have callers of some agent where the first bytes do not say which", async () => {
    const both =
      '{ "/a": { agent: echo, auth: keyAuth }, "/b": { agent: other, auth: authOf(keyAuth.authenticate) } }';
    const { port } = await openServedProcess({ heapMb: 96, agents: both });
    const peer = new RawPeer(port);
    expect(await peer.begin().write(unfinished()).status).toBe(status.UNAUTHENTICATED);
    const last = framed(
      Buffer.concat([saying("x".repeat(50_000)).subarray(5), field(1, Buffer.from("a"))]),
    );
    expect(await peer.begin().end(last).status).toBe(status.UNAUTHENTICATED);
    expect(await peer.begin(known).end(last).status).toBe(status.OK);
  });
});

describe("compressed messages", () => {
  const begin = (peer: RawPeer, encoding: string): RawCall =>
    peer.begin({ "grpc-encoding": encoding });
  const compressed = (bytes: Buffer): Buffer => {
    const frame = framed(bytes);
    frame[0] = 1;
    return frame;
  };

  it("are read, and refused for what they become", async () => {
    const options = "{ grpc: { requestMs: 250_000 } }";
    const { port, memory } = await openServedProcess({ heapMb: 96, options });
    const peer = new RawPeer(port);
    const message = saying("hello").subarray(5);
    const bomb = compressed(gzipSync(Buffer.alloc(100 * mega)));
    expect(await begin(peer, "gzip").end(compressed(gzipSync(message))).status).toBe(status.OK);
    expect(await begin(peer, "deflate").end(compressed(deflateSync(message))).status).toBe(
      status.OK,
    );
    const unknown = begin(peer, "br").end(compressed(message));
    expect(await unknown.status).toBe(status.UNIMPLEMENTED);
    expect(await begin(peer, "gzip").end(compressed(message)).status).toBe(status.INVALID_ARGUMENT);
    const bombs = times(40, () => begin(peer, "gzip").end(bomb));
    expect(await statusesOf(bombs)).toEqual({ RESOURCE_EXHAUSTED: 40 });
    expect((await memory()).peakBuffers).toBeLessThan(80);
  });
});

describe("a connection", () => {
  it("is one of as many as the server takes", async () => {
    const { port } = await openServedProcess({
      heapMb: 96,
      options: "{ grpc: { maxConnections: 3 } }",
    });
    const peers = times(3, () => new RawPeer(port));
    for (const peer of peers) expect(await peer.begin().end(saying("hi")).status).toBe(status.OK);
    expect(await new RawPeer(port).begin().end(saying("hi")).status).toBe(-1);
    const [first] = peers;
    const closed = new Promise((resolve) => first?.session.once("close", resolve));
    first?.session.close();
    await closed;
    await expect.poll(() => new RawPeer(port).begin().end(saying("hi")).status).toBe(status.OK);
  });

  it("has as many calls at a time as the server says", async () => {
    const options = "{ grpc: { maxConcurrentStreams: 2 }, auth: neverAuth }";
    const { port } = await openServedProcess({ heapMb: 96, options });
    const { session } = new RawPeer(port);
    await new Promise((resolve) => session.once("remoteSettings", resolve));
    expect(session.remoteSettings.maxConcurrentStreams).toBe(2);
  });

  it("costs 48 KiB at most, with headers that never end", async () => {
    const { port, memory } = await openServedProcess({ heapMb: 96, options: isProtected });
    const filler = Buffer.alloc(15_000, Buffer.from("x"));
    const length = Buffer.from([
      0x7f,
      ((15_000 - 127) % 128) | 128,
      Math.floor((15_000 - 127) / 128),
    ]);
    const endless = Buffer.concat([block, Buffer.from([0, 1, 120]), length, filler]);
    const peers = times(500, () => new FramePeer(port));
    for (const peer of peers) peer.send(http2Frame(1, 0, 1, endless));
    await expect.poll(() => peers.every((peer) => peer.isGreeted)).toBe(true);
    await expectServed(port);
    // 24 MB, and what the process takes to serve anyone.
    expect((await memory()).peakGrowth).toBeLessThan(24 + 50);
  });

  it("that never speaks is closed", async () => {
    const { port } = await openServedProcess({
      heapMb: 96,
      options: "{ grpc: { requestMs: 300 } }",
    });
    const socket = connectSocket(port, "127.0.0.1").on("error", () => {});
    await new Promise((resolve) => socket.resume().once("close", resolve));
  });

  it("that never reads gets no more streams before the server holds much for it", async () => {
    const { port, memory, isAlive } = await openServedProcess({ heapMb: 96, options: isProtected });
    const peer = new FramePeer(port);
    peer.socket.pause();
    for (let id = 1; id < 400_000 && peer.socket.writable; id += 2) {
      if (!peer.send(peer.headers(id, true))) await peer.untilSent();
    }
    await expectServed(port);
    expect(isAlive()).toBe(true);
    expect((await memory()).heap).toBeLessThan(90);
  });

  it("that never reads costs 1 MiB at most, however many calls it makes", async () => {
    const { port, memory, isAlive } = await openServedProcess({ heapMb: 96, options: isProtected });
    // Few enough that all of them together leave the honest callers room in this heap.
    const peers = times(25, () => new FramePeer(port));
    for (const peer of peers) {
      peer.socket.pause();
      for (let id = 1; id < 20_000; id += 2) peer.send(peer.headers(id, true));
    }
    // A busy server may refuse a call while it reads the flood; whoever repeats it is served.
    const served = () => new RawPeer(port).begin(known).end(saying("hello")).status;
    for (let round = 0; round < 50; round += 1) await expect.poll(served).toBe(status.OK);
    expect(isAlive()).toBe(true);
    // 25 MiB, and what the process takes to serve anyone.
    expect((await memory()).peakGrowth).toBeLessThan(26 + 50);
  });
});

/** A connection that sends frames of HTTP/2 as it likes. */
class FramePeer {
  readonly socket: Socket;
  /** How many streams the other end has reset. */
  resets = 0;
  /** Whether the other end has taken this for HTTP/2. */
  isGreeted = false;
  #received = Buffer.alloc(0);

  constructor(port: number) {
    this.socket = connectSocket(port, "127.0.0.1").on("error", () => {});
    this.socket.on("data", (chunk) => this.#receive(chunk));
    onTestFinished(() => void this.socket.destroy());
    this.send(Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), http2Frame(4, 0, 0));
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const length = this.#received.length < 9 ? Infinity : 9 + this.#received.readUIntBE(0, 3);
      if (this.#received.length < length) return;
      this.isGreeted = true;
      if (this.#received[3] === 3) this.resets += 1;
      this.#received = this.#received.subarray(length);
    }
  }

  /** Returns false if the other end does not read as fast. */
  send(...frames: readonly Buffer[]): boolean {
    return this.socket.write(Buffer.concat(frames));
  }

  /** Resolves when all is sent, or will never be. */
  async untilSent(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.socket.once("drain", resolve).once("close", resolve);
      setTimeout(resolve, 200);
    });
  }

  /** Begins a call, and perhaps ends it. */
  headers(id: number, isAll = false): Buffer {
    return http2Frame(1, isAll ? 5 : 4, id, block);
  }
}

/** A frame of HTTP/2. */
function http2Frame(type: number, flags: number, id: number, payload?: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload?.length ?? 0, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return payload === undefined ? head : Buffer.concat([head, payload]);
}

/** The headers of a call, uncompressed. */
const block = Buffer.concat(
  Object.entries({
    ":method": "POST",
    ":scheme": "http",
    ":path": "/lf.a2a.v1.A2AService/SendMessage",
    ":authority": "localhost",
    "content-type": "application/grpc",
    te: "trailers",
  }).flatMap(([name, value]) => [
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]),
);
