import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "./row.js";

/** `CHAOS_WATCHERS=10000` takes memory and files: a watcher is a connection at both ends of the proxy. */
const watchers = Number(process.env["CHAOS_WATCHERS"] ?? 600);

export const watcherRow: Row = {
  name: "watchers",
  expected: "all watchers reconnect at once, and none misses or repeats an event",
  async fail({ cluster, recorder, callers }) {
    // Over HTTP each watcher has a connection of its own.
    const [caller] = callers;
    const task = await caller?.send({ text: "work 1 150 200", immediate: true });
    if (caller === undefined || task === undefined) throw new Error("the task did not begin");
    const before = recorder.streams.length;
    const watching = Array.from({ length: watchers }, () => caller.watch(task.id));
    const seen = (atLeast: number): boolean =>
      recorder.streams
        .slice(before)
        .filter(({ taskId, events }) => taskId === task.id && events.length > atLeast).length >=
      watchers;
    for (let round = 0; round < 2; round += 1) {
      for (let waits = 0; waits < 600 && !seen(round); waits += 1) await sleep(50);
      await recorder.fault("all connections cut", undefined, async () => cluster.proxy.hangUp());
    }
    await Promise.all(watching);
  },
  check({ streams }) {
    const open = streams.filter(({ outcome }) => outcome === "open").length;
    return open === 0 ? [] : [`${open} streams did not come to their end`];
  },
};
