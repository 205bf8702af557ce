/** A server with little memory, and an agent that says as much as it is told to. The process that forked it asks how it is. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";

const { path, settings } = JSON.parse(process.argv[2]);

const talker = agent({
  name: "Talker",
  description: "Talks as much as it is told to",
  async *run({ text, ask }) {
    const [what, number, length] = text.split(" ");
    const chunk = "x".repeat(Number(length));
    if (what === "echo") return yield text;
    for (let nth = 0; nth < Number(number); nth += 1) yield chunk;
    if (what === "ask") await ask("Enough?");
  },
});
const store = path === undefined ? createMemoryStore() : await openSqliteStore({ path });
const serving = await serve(talker, { port: 0, store, settings });
const delay = monitorEventLoopDelay({ resolution: 5 });

process.on("message", (question) => {
  if (question === "watch") {
    delay.reset();
    delay.enable();
    process.send({ watching: true });
    return;
  }
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send({ bytes: heapUsed + external, longestMs: delay.max / 1e6 });
});
process.on("disconnect", () => process.exit());
process.send({ url: serving.url });
