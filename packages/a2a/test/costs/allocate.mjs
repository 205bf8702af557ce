/**
 * Prints how many bytes of the heap a chunk takes, from `yield` to the one who watches, over the store in memory and over
 * SQLite. The young generation is so large that nothing is collected meanwhile: what the heap grows by is what was
 * allocated. Usage: node --expose-gc --min-semi-space-size=… --max-semi-space-size=… allocate.mjs FILE
 */
import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";
import { setImmediate as turn } from "node:timers/promises";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const chunks = 10_000;
let collections = 0;
new PerformanceObserver((list) => (collections += list.getEntries().length)).observe({
  entryTypes: ["gc"],
});

const counting = agent({
  name: "Allocating",
  description: "Says so many chunks",
  async *run({ text }) {
    for (let said = 0; said < Number(text); said += 1) yield "x".repeat(100);
  },
});

const stores = {
  memory: createMemoryStore(),
  sqlite: await openSqliteStore({ path: process.argv[2] }),
};
const found = {};
for (const [name, store] of Object.entries(stores)) {
  const runtime = await openRuntime({ agent: counting, store });
  for (let times = 0; times < 5; times += 1) await watch(runtime, 2000);
  globalThis.gc();
  // Observers hear of a collection some turns later.
  for (let turns = 0; turns < 10; turns += 1) await turn();
  collections = 0;
  const before = process.memoryUsage().heapUsed;
  await watch(runtime, chunks);
  const bytes = process.memoryUsage().heapUsed - before;
  for (let turns = 0; turns < 10; turns += 1) await turn();
  found[name] = { bytes: Math.round(bytes / chunks), collections };
  await runtime.close();
  await store.close();
}
process.stdout.write(JSON.stringify(found));

async function watch(runtime, count) {
  const message = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: [{ text: `${count}` }],
  };
  let heard = 0;
  for await (const _ of runtime.sendStreamingMessage({ message }, { version: "1.0" })) heard += 1;
  if (heard < count) throw new Error(`only ${heard} events came`);
}
