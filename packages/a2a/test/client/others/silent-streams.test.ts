import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import type { Message, Task } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createDeferred } from "../../support/time/deferred.js";
import { ManualTimers } from "../../support/time/manual-timers.js";
import { connectOver, interfaces, readAll, statesOf } from "../open-agent.js";
import { openPeer } from "./open-peer.js";
import type { Peer, Streamed } from "./open-peer.js";

const silent: Streamed = { events: [], staysOpen: true };
const done: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };
const message: Message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] };

/** Two minutes pass, once the stream is open and the client waits for it to speak. */
async function passSilence({ asked }: Peer, timers: ManualTimers): Promise<void> {
  await expect.poll(() => [asked.length, timers.pending]).toEqual([1, 1]);
  await timers.advance(120_000);
}

describe.each(interfaces)(
  "a stream that opens and says nothing, over %s in version %s",
  (...chosen) => {
    it("fails a message, since nobody knows what became of it", async () => {
      const timers = new ManualTimers().rush();
      const script = { sendStreamingMessage: () => silent };
      await using peer = await openPeer(chosen, script, { clock: timers });
      const reading = readAll(peer.agent.stream("go")).catch((error: unknown) => error);
      await passSilence(peer, timers);
      expect(await reading).toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringContaining("whether it has the message is not known") as string,
        cause: { message: "nothing was heard of the agent for 120000 ms" },
      });
      expect(peer.asked).toEqual(["sendStreamingMessage"]);
    });

    it("makes the client send a message again that has a key", async () => {
      const timers = new ManualTimers().rush();
      const answers: Streamed[] = [silent, { events: [{ message }] }];
      const script = { sendStreamingMessage: () => answers.shift() ?? silent };
      await using peer = await openPeer(chosen, script, { clock: timers });
      const text = peer.agent.text("go", { idempotencyKey: "k" });
      await passSilence(peer, timers);
      expect(await text).toBe("hi");
      expect(peer.asked).toEqual(["sendStreamingMessage", "sendStreamingMessage"]);
    });

    it("makes the client look at a task that it watches", async () => {
      const timers = new ManualTimers().rush();
      const script = { subscribeToTask: () => silent, getTask: () => done };
      await using peer = await openPeer(chosen, script, { clock: timers });
      const reading = readAll(peer.agent.watch("t"));
      await passSilence(peer, timers);
      expect(statesOf((await reading).events)).toEqual(["COMPLETED"]);
      expect(peer.asked).toEqual(["subscribeToTask", "getTask"]);
    });
  },
);

it.each(["1.0", "0.3"] as const)(
  "an agent of ours may think for any time over gRPC in %s, which has no heartbeats",
  async (version) => {
    const [thought, begun] = [createDeferred<string>(), createDeferred<void>()];
    const thinker = agent({
      name: "Thinker",
      description: "Thinks",
      run() {
        begun.resolve();
        return thought.promise;
      },
    });
    const store = createMemoryStore();
    await using server = await serve(thinker, { port: 0, store, grpc: { port: 0 } });
    const timers = new ManualTimers().rush();
    const { grpcAddress } = server;
    const asked = await connectOver(server.url, ["GRPC", version], { grpcAddress, clock: timers });
    const text = asked.text("think");
    await begun.promise;
    // What the server sent before this answer has come.
    await expect(asked.task("none")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
    await timers.advance(3_600_000);
    thought.resolve("at last");
    expect(await text).toBe("at last");
  },
);
