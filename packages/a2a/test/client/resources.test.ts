import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { createFetchHandler } from "@parley/a2a/http";
import { openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { openDemo } from "../interop/open-demo.js";
import { readAll } from "./open-agent.js";

/** What keeps a process alive, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

it(
  "leaves no listener and no timer behind after ten thousand streams",
  { timeout: 120_000 },
  async () => {
    await using runtime = await openRuntime({ agent: demoAgent, store: createMemoryStore() });
    const handler = createFetchHandler({
      mounts: [{ path: "/", agent: { service: runtime, card: (list) => demoAgent.card(list) } }],
    });
    let requests = 0;
    const agent = await connect("https://agent.example", {
      fetch: (url, init) => {
        requests += 1;
        return handler(new Request(url, init));
      },
    });
    const { signal } = new AbortController();
    await readAll(agent.stream("stream 1 0", { signal }));
    const before = resources();
    for (let count = 0; count < 10_000; count += 1) {
      for await (const event of agent.stream("echo", { signal })) {
        expect(event.kind).toBe("message");
      }
    }
    for (let count = 0; count < 500; count += 1) {
      for await (const event of agent.stream("stream 3 0", { signal })) {
        // Leaving early is as good as reading to the end.
        if (event.kind === "artifact") break;
      }
    }
    expect(requests).toBeGreaterThan(10_500);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    await sleep(50);
    expect(resources()["Timeout"] ?? 0).toBeLessThanOrEqual((before["Timeout"] ?? 0) + 1);
  },
);

it("leaves no more sockets behind than a pool keeps", { timeout: 60_000 }, async () => {
  await using demo = await openDemo();
  const agent = await connect(demo.url);
  const { signal } = new AbortController();
  await readAll(agent.stream("stream 1 0", { signal }));
  for (let count = 0; count < 300; count += 1) {
    for await (const event of agent.stream("stream 3 0", { signal })) {
      if (count % 2 === 0 && event.kind === "artifact") break;
    }
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  await sleep(50);
  // Both ends of each connection are in this process.
  expect(resources()["TCPSocketWrap"] ?? 0).toBeLessThan(12);
});

it("has no more streams open to a host than it may", { timeout: 20_000 }, async () => {
  await using demo = await openDemo();
  let open = 0;
  let most = 0;
  const agent = await connect(demo.url, {
    maxStreamsPerHost: 3,
    interceptors: [
      {
        async *aroundStream(outgoing, next) {
          try {
            for await (const event of next(outgoing)) {
              if (event.response.task !== undefined) most = Math.max(most, (open += 1));
              yield event;
            }
          } finally {
            open -= 1;
          }
        },
      },
    ],
  });
  const streams = Array.from({ length: 12 }, () => readAll(agent.stream("stream 3 5")));
  for (const { text } of await Promise.all(streams)) expect(text).toBe("chunk 1 chunk 2 chunk 3 ");
  expect(most).toBe(3);
});
