import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import type { AgentService, StreamEvent } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { createGate } from "../support/time/gate.js";
import { openDemo } from "../support/servers/open-demo.js";
import { readAll } from "./open-agent.js";
import { rounds } from "../support/rounds.js";

const card = demoAgent.card([]);

/** What keeps a process alive, by kind. */
function resources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const streams = rounds(10_000);

it(`leaves no listener, timer or socket behind after ${streams} streams over sockets`, async () => {
  await using demo = await openDemo();
  const agent = await connect(demo.url);
  const { signal } = new AbortController();
  await readAll(agent.stream("stream 1 0", { signal }));
  const before = resources();
  for (let count = 0; count < streams; count += 1) {
    const isTask = count % 10 === 0;
    for await (const event of agent.stream(isTask ? "stream 2 0" : "echo", { signal })) {
      // Leaving early is as good as reading to the end.
      if (count % 20 === 0 && event.kind === "artifact") break;
    }
  }
  expect(getEventListeners(signal, "abort")).toEqual([]);
  // Those that were left end a moment later. Who polls has a timer, too.
  await expect
    .poll(() => (resources()["Timeout"] ?? 0) - (before["Timeout"] ?? 0))
    .toBeLessThanOrEqual(1 + 1);
  // A pool keeps a few, of which both ends are in this process.
  await expect.poll(() => resources()["TCPSocketWrap"] ?? 0).toBeLessThan(12);
});

it("has no more streams open to a host than it may, and as many", async () => {
  await using demo = await openDemo();
  const allOpen = createGate();
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
              if (open === 3) allOpen.open();
              await allOpen.opened;
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

it("counts the streams to each address of gRPC for itself", async () => {
  let opened = 0;
  const gone = new AbortController();
  const open = async (url: string): Promise<void> => {
    async function* sendStreamingMessage(): AsyncGenerator<StreamEvent, void> {
      yield { response: { task: { id: "t", status: { state: "TASK_STATE_WORKING" } } } };
      await new Promise((resolve) => gone.signal.addEventListener("abort", resolve));
    }
    const agent = await connect(
      { ...card, supportedInterfaces: [{ url, protocolBinding: "GRPC", protocolVersion: "1.0" }] },
      { transports: { GRPC: () => ({ sendStreamingMessage }) as unknown as AgentService } },
    );
    await agent.stream("hi", { signal: gone.signal })[Symbol.asyncIterator]().next();
    opened += 1;
  };
  // As many as may be open to one host.
  for (let count = 0; count < 100; count += 1) await open("one.example:4101");
  await open("other.example:4101");
  expect(opened).toBe(101);
  gone.abort();
});
