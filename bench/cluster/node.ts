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

/** Resolves when the tasks of all these runs are stored. */
async function stay(runs: number): Promise<number> {
  const configuration = { returnImmediately: true };
  const begin = (): Promise<unknown> => send(runtime, "stay", { configuration });
  return (await Promise.all(Array.from({ length: runs }, begin))).length;
}

process.once("disconnect", () => process.exit());
process.on("message", (order: Order) => {
  if ("workMs" in order) void work(order.workMs, order.lanes).then((done) => tell({ done }));
  else void stay(order.stay).then((placed) => tell({ placed }));
});
tell({ isReady: true });
