import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProtocolVersion } from "@parley/a2a";
import type { AgentEvent, Fetch, SendOptions } from "@parley/a2a/client";
import type { Reconnection } from "../../src/client/follow/reconnector.js";
import { openDemo, streamedText } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import type { ChaosProxy, Fate } from "../support/proxies/chaos-proxy.js";
import { openDuplicatingProxy } from "../support/proxies/duplicating-proxy.js";
import { forAll } from "../support/time/hurried-timers.js";
import { ManualTimers } from "../support/time/manual-timers.js";
import { connectOver, readAll, statesOf } from "./open-agent.js";
import { someOf } from "../support/rounds.js";

const said = "stream 3 1";
const expected = streamedText(3);

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
});

type Interface = readonly [binding: string, version: ProtocolVersion];

interface Trial {
  readonly events: readonly AgentEvent[];
  readonly text: string;
  readonly reconnections: readonly Reconnection[];
  readonly answered: readonly number[];
}

interface TrialOptions extends SendOptions {
  /** When absent nobody waits, and silence is never too long. */
  readonly timers?: ManualTimers;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** A fetch that takes cards straight from the server: the first connection of the proxy is the stream. */
function pastProxy(proxy: ChaosProxy): Fetch {
  return (url, init) =>
    fetch(url.includes("/.well-known/") ? url.replace(proxy.url, demo.url) : url, init);
}

/** Streams through a proxy where each connection meets its fate. */
async function tryStream(
  [binding, version]: Interface,
  fates: readonly Fate[],
  { timers = new ManualTimers().rush(), onEvent, ...options }: TrialOptions = {},
): Promise<Trial> {
  await using proxy = await openChaosProxy(demo.url, fates);
  const agent = await connectOver(proxy.url, [binding, version], {
    clock: timers,
    fetch: pastProxy(proxy),
  });
  const reconnections: Reconnection[] = [];
  const onReconnect = (one: Reconnection): number => reconnections.push(one);
  const stream = agent.stream(said, { onReconnect, ...options });
  const { events, text } = await readAll(stream, onEvent);
  return { events, text, reconnections, answered: proxy.answered };
}

/** What a reader would have that takes every text as new: the same, if nothing is told twice. */
function naiveText(events: readonly AgentEvent[]): string {
  return events
    .flatMap((event) =>
      event.kind === "artifact"
        ? [event.artifact]
        : event.kind === "task"
          ? (event.task.artifacts ?? [])
          : [],
    )
    .flatMap(({ parts }) => parts.map((part) => part.text ?? ""))
    .join("");
}

const interfaces: readonly Interface[] = [
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
  ["JSONRPC", "0.1"],
];

describe.each(interfaces)("over %s in version %s", (binding, version) => {
  it.each(["cut", "half-close"] as const)(
    "tells all of a stream, and nothing twice, when its connection meets a %s at any byte",
    async (kind) => {
      const { answered } = await tryStream([binding, version], []);
      const length = answered[0] ?? 0;
      expect(length).toBeGreaterThan(500);
      // Every offset for one; for the others, which differ in little, some of them.
      const step = binding === "JSONRPC" && version === "1.0" && kind === "cut" ? 1 : 7;
      const offsets = someOf(
        Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step),
      );
      await forAll(offsets, 16, async (afterBytes) => {
        const trial = await tryStream([binding, version], [{ kind, afterBytes }], {
          idempotencyKey: randomUUID(),
        });
        const at = `${kind} after ${afterBytes} of ${length} bytes`;
        expect(trial.text, at).toBe(expected);
        expect(naiveText(trial.events), at).toBe(expected);
        expect(statesOf(trial.events).at(-1), at).toBe("COMPLETED");
      });
    },
  );
});

it("tells all of a stream whose every connection is cut a little later", async () => {
  const fates = Array.from({ length: 20 }, (_, index): Fate => {
    return { kind: "cut", afterBytes: 400 + 97 * index };
  });
  const trial = await tryStream(["JSONRPC", "1.0"], fates, { idempotencyKey: randomUUID() });
  expect(naiveText(trial.events)).toBe(expected);
});

it("reads a stream that comes late and in pieces", async () => {
  const trial = await tryStream(["JSONRPC", "1.0"], [{ kind: "delay", delayMs: 20 }]);
  expect(naiveText(trial.events)).toBe(expected);
  expect(trial.reconnections).toEqual([]);
});

it.each(interfaces)(
  "tells nothing twice when a connection is doubled on its way, over %s in version %s",
  async (binding, version) => {
    for (const firstEndsAfter of [0, 900, 1500, Infinity]) {
      // With a key both requests are answered with one task, without one there are two. In 0.1 the
      // caller names the task, so that without a key it is told everything twice, and says so twice.
      for (const idempotencyKey of version === "0.1" ? [randomUUID()] : [undefined, randomUUID()]) {
        await using proxy = await openDuplicatingProxy(demo.url, { firstEndsAfter });
        const agent = await connectOver(demo.url, [binding, version], {
          clock: new ManualTimers().rush(),
          fetch: (url, init) => fetch(url.replace(demo.url, proxy.url), init),
        });
        const { events, text } = await readAll(
          agent.stream(said, idempotencyKey === undefined ? {} : { idempotencyKey }),
        );
        const at = `the first ends after ${firstEndsAfter}, key ${idempotencyKey}`;
        expect(text, at).toBe(expected);
        // 0.1 has no tasks in its streams: one that starts over says its artifacts again, as new ones.
        if (version !== "0.1") expect(naiveText(events), at).toBe(expected);
        expect(statesOf(events).at(-1), at).toBe("COMPLETED");
        expect(proxy.doubled).toBeGreaterThan(0);
      }
    }
  },
);

it("takes a silent connection for dead, and goes on by the number of the last event", async () => {
  const timers = new ManualTimers().rush();
  let isSilent = false;
  const onEvent = (event: AgentEvent): void => {
    if (isSilent || naiveText([event]) === "") return;
    isSilent = true;
    // Two minutes pass once the reader waits for what follows.
    setImmediate(() => void timers.advance(120_000));
  };
  const fates: Fate[] = [{ kind: "hang", afterEvent: "chunk 1" }];
  const trial = await tryStream(["JSONRPC", "1.0"], fates, { timers, onEvent });
  expect(naiveText(trial.events)).toBe(expected);
  expect(trial.reconnections).toMatchObject([{ by: "sequence", attempt: 1 }]);
  expect(trial.reconnections[0]?.error?.message).toBe(
    "nothing was heard of the agent for 120000 ms",
  );
});

it("goes on after a proxy could not reach the agent, and answered with a web page", async () => {
  const fates: Fate[] = [
    { kind: "cut", afterEvent: "chunk 1" },
    { kind: "bad-gateway" },
    { kind: "bad-gateway", retryAfter: 2 },
  ];
  const trial = await tryStream(["HTTP+JSON", "1.0"], fates);
  expect(naiveText(trial.events)).toBe(expected);
  expect(trial.reconnections).toHaveLength(3);
  expect(trial.reconnections[1]?.error).toMatchObject({ code: "UNAVAILABLE" });
});

it("goes on after nobody was there for a while", async () => {
  await using proxy = await openChaosProxy(demo.url, [{ kind: "cut", afterEvent: "chunk 1" }]);
  const agent = await connectOver(proxy.url, ["JSONRPC", "1.0"], {
    clock: new ManualTimers().rush(),
    fetch: pastProxy(proxy),
  });
  let attempts = 0;
  const onReconnect = async (): Promise<void> => {
    attempts += 1;
    if (attempts === 1) await proxy.close();
    if (attempts === 5) await proxy.reopen();
  };
  const { events } = await readAll(agent.stream(said, { onReconnect: () => void onReconnect() }));
  expect(naiveText(events)).toBe(expected);
  expect(attempts).toBeGreaterThanOrEqual(5);
});

it("says that it cannot know whether a message arrived, rather than send it twice", async () => {
  const trial = tryStream(["JSONRPC", "1.0"], [{ kind: "cut", afterBytes: 10 }]);
  await expect(trial).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("whether it has the message is not known") as string,
  });
});

it("gives up in the end, and says how to go on", async () => {
  const dead = Array.from({ length: 30 }, (): Fate => ({ kind: "cut", afterBytes: 0 }));
  const trial = tryStream(["JSONRPC", "1.0"], [{ kind: "cut", afterEvent: "chunk 1" }, ...dead]);
  await expect(trial).rejects.toThrowError(
    /the stream of task \S+ broke and could not be resumed in 10 attempts; .*watch\("/,
  );
});

it("stops at once when the caller does, wherever it is, and leaves no connection", async () => {
  await using proxy = await openChaosProxy(demo.url);
  const agent = await connectOver(proxy.url, ["JSONRPC", "1.0"], { fetch: pastProxy(proxy) });
  const caller = new AbortController();
  const reason = new Error("enough");
  const stream = agent.stream("wait 1", { signal: caller.signal });
  const reading = readAll(stream, () => caller.abort(reason));
  await expect(reading).rejects.toBe(reason);
  const aborted = agent.send("echo", { signal: AbortSignal.abort(reason) });
  await expect(aborted).rejects.toBe(reason);
  await expect.poll(() => proxy.open).toBe(0);
});

it("never cancels a task whose stream is left", async () => {
  await using proxy = await openChaosProxy(demo.url);
  const agent = await connectOver(proxy.url, ["JSONRPC", "1.0"]);
  let taskId = "";
  for await (const event of agent.stream("stream 5 20")) {
    if (event.kind === "task") taskId = event.task.id;
    if (event.kind === "artifact") break;
  }
  const { text } = await readAll(agent.watch(taskId));
  expect(text).toBe(streamedText(5));
});
