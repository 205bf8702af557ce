import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "@parley/a2a/client";
import type { AgentEvent, RemoteAgent } from "@parley/a2a/client";
import { streamedText } from "../support/servers/open-demo.js";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import type { Fate } from "../support/proxies/chaos-proxy.js";
import { openDuplicatingProxy } from "../support/proxies/duplicating-proxy.js";
import { forAll, hurriedTimers } from "../support/time/hurried-timers.js";
import { ManualTimers } from "../support/time/manual-timers.js";
import { readAll } from "./open-agent.js";
import { openSdk10 } from "./sdk-servers.js";
import type { SdkServer } from "./sdk-servers.js";
import { someOf } from "../support/rounds.js";
import type { Clock } from "@parley/a2a/server";

// The SDK writes to the console whatever it refuses.
for (const method of ["error", "warn", "log"] as const) {
  vi.spyOn(console, method).mockImplementation(() => undefined);
}

const said = "stream 4 2";
const expected = streamedText(4);

let server: SdkServer;
beforeAll(async () => {
  server = await openSdk10();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The agent through a proxy, though its card comes straight from the server. */
function connectThrough(
  proxyUrl: string,
  binding: string,
  timers: Clock = hurriedTimers,
): Promise<RemoteAgent> {
  return connect(server.url, {
    bindings: [binding],
    clock: timers,
    fetch: (url, init) =>
      fetch(url.includes("/.well-known/") ? url : url.replace(server.url, proxyUrl), init),
  });
}

type Outcome = { readonly events: readonly AgentEvent[] } | { readonly error: unknown };

async function tryStream(
  binding: string,
  fates: readonly Fate[],
): Promise<{ readonly outcome: Outcome; readonly answered: readonly number[] }> {
  await using proxy = await openChaosProxy(server.url, fates);
  const agent = await connectThrough(proxy.url, binding);
  const outcome = await readAll(agent.stream(said)).catch((error: unknown) => ({ error }));
  return { outcome, answered: proxy.answered };
}

/** The text of all chunks, in which one that was told twice would be there twice. */
function textOf(events: readonly AgentEvent[]): string {
  return events
    .flatMap((event) => (event.kind === "artifact" ? event.artifact.parts : []))
    .map((part) => part.text)
    .join("");
}

/** Whether all was told; otherwise what was said has to be that it cannot be known. */
function isTold(outcome: Outcome, at: string): boolean {
  if ("events" in outcome) {
    expect(textOf(outcome.events), at).toBe(expected);
    return true;
  }
  expect(String(outcome.error), at).toContain("whether it has the message is not known");
  return false;
}

// The numbers of this server's events are times, which say nothing about places.
describe.each(["JSONRPC", "HTTP+JSON"])("the official SDK 1.3.0 over %s", (binding) => {
  it.each(["cut", "half-close"] as const)(
    "is understood exactly when its stream meets a %s at any byte, or it is said that nobody knows",
    async (kind) => {
      const { answered } = await tryStream(binding, []);
      const length = answered[0] ?? 0;
      expect(length).toBeGreaterThan(500);
      // Every offset for one; for the others, which differ in little, some of them.
      const step = binding === "JSONRPC" && kind === "cut" ? 1 : 11;
      const offsets = someOf(
        Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step),
      );
      let untold = 0;
      await forAll(offsets, 16, async (afterBytes) => {
        const { outcome } = await tryStream(binding, [{ kind, afterBytes }]);
        if (!isTold(outcome, `${kind} after ${afterBytes} of ${length} bytes`)) untold += 1;
      });
      // Only before the first event came; it and the headers are less than half of all bytes.
      expect(untold).toBeLessThan(offsets.length / 2);
    },
  );

  it("is understood when its stream comes late and in pieces", async () => {
    const { outcome } = await tryStream(binding, [{ kind: "delay", delayMs: 20 }]);
    expect(isTold(outcome, "delay")).toBe(true);
  });

  it("is understood when its stream falls silent, wherever it does", async () => {
    await forAll([900, 1000, 1200, 1400], 4, async (afterBytes) => {
      await using proxy = await openChaosProxy(server.url, [{ kind: "hang", afterBytes }]);
      const timers = new ManualTimers().rush();
      const agent = await connectThrough(proxy.url, binding, timers);
      const told = vi.fn<(event: AgentEvent) => void>();
      const reading = readAll(agent.stream(said), told);
      // Two minutes pass once the reader has heard something, and waits for what follows.
      await vi.waitFor(() => {
        expect(proxy.silent).toBe(1);
        expect(told).toHaveBeenCalled();
        expect(timers.pending).toBe(1);
      }, 30_000);
      await timers.advance(120_000);
      expect(textOf((await reading).events), `hang after ${afterBytes}`).toBe(expected);
    });
  });

  it("is understood when a proxy cannot reach it for a while", async () => {
    const { outcome } = await tryStream(binding, [
      { kind: "cut", afterBytes: 1200 },
      { kind: "bad-gateway" },
      { kind: "bad-gateway", retryAfter: 2 },
      { kind: "bad-gateway" },
    ]);
    expect(isTold(outcome, "bad gateway")).toBe(true);
  });

  it("is understood when every connection is lost a little later", async () => {
    const fates = Array.from({ length: 12 }, (_, index): Fate => ({
      kind: "cut",
      afterBytes: 1000 + 97 * index,
    }));
    const { outcome } = await tryStream(binding, fates);
    expect(isTold(outcome, "one cut after the other")).toBe(true);
  });

  it("is understood when connections are doubled on their way, so that two tasks tell", async () => {
    for (const firstEndsAfter of [0, 900, 1200, Infinity]) {
      await using proxy = await openDuplicatingProxy(server.url, { firstEndsAfter });
      const agent = await connectThrough(proxy.url, binding);
      const { events } = await readAll(agent.stream(said));
      expect(textOf(events), `the first ends after ${firstEndsAfter}`).toBe(expected);
      expect(proxy.doubled).toBeGreaterThan(0);
    }
  });

  it("is not asked twice when a proxy answers in its place", async () => {
    const { outcome, answered } = await tryStream(binding, [{ kind: "bad-gateway" }]);
    expect(outcome).toMatchObject({ error: { code: "UNAVAILABLE" } });
    expect(answered).toEqual([]);
  });
});
