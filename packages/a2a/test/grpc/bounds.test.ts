import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
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
    expect((await memory()).peakBuffers).toBeLessThan(60);
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
    expect((await memory()).peakBuffers).toBeLessThan(60);
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
    expect((await memory()).peakBuffers).toBeLessThan(95);
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
