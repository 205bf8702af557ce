/** A node in a process of its own. It does what its parent tells it, and ends with it. */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresBus } from "@parley/a2a/bus/postgres";
import type { Answer, Order } from "./processes.js";
import { complete, openNode, send, text } from "./nodes.js";

const url = process.argv[2] ?? "";
const tell = (answer: Answer): void => void process.send?.(answer);

const { runtime } = await openNode({
  store: url,
  bus: await openPostgresBus({ url }),
  durable: true,
  // All runs are one caller's. The last tenth is for others.
  settings: { maxConcurrentRuns: 2000, maxConcurrentRunsPerPrincipal: 2000 },
  async *run({ text: words, signal, taskId }) {
    if (words === "stay") {
      tell({ begun: taskId });
      await sleep(24 * 60 * 60 * 1000, undefined, { signal });
    }
    while (words === "stream" && !signal.aborted) {
      yield text;
      await sleep(5, undefined, { signal });
    }
    await sleep(10);
    yield { artifact: "answer", text };
  },
});

/** Returns how many lifecycles were done in this time. */
async function work(forMs: number, lanes: number): Promise<number> {
  const end = performance.now() + forMs;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await complete(runtime);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return done;
}

/** Begins runs that do not end. Resolves with the ids of their tasks when all are stored. */
async function begin(runs: number, words: string): Promise<string[]> {
  const configuration = { returnImmediately: true };
  const one = async (): Promise<string> => (await send(runtime, words, { configuration })).id;
  return Promise.all(Array.from({ length: runs }, one));
}

process.once("disconnect", () => process.exit());
process.on("message", (order: Order) => {
  if ("workMs" in order) void work(order.workMs, order.lanes).then((done) => tell({ done }));
  else void begin(order.runs, order.words).then((placed) => tell({ placed }));
});
tell({ isReady: true });
