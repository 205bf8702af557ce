import { dirname, join } from "node:path";
import { isTerminal } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import type { Caller } from "../caller.js";
import { watchMany } from "../watchers/watch-many.js";
import { pause } from "./row.js";
import type { Row } from "./row.js";

/** Watchers for each task. */
const share = 100;

const unhurried = { signal: new AbortController().signal };

export const watcherRow: Row = {
  name: "watchers",
  expected: "all watchers reconnect at once, and none misses or repeats an event",
  // The lease that servers have unless they are told otherwise, and heartbeats that callers just do not miss: thousands of
  // streams with a heartbeat each 500 ms would keep two processors busy with nothing else.
  cluster: () => ({ leaseMs: 15_000, forNode: () => ({ heartbeatMs: 2500 }) }),
  async fail({ cluster, recorder, callers, watchers }) {
    const [caller] = callers;
    if (caller === undefined) throw new Error("nobody can begin the tasks");
    // They go on until they are canceled, with so many events that the nodes have time for other callers.
    const text = `work 1 100000 ${Math.max(200, Math.round(watchers / 5))}`;
    const begun = await Promise.all(
      Array.from({ length: Math.ceil(watchers / share) }, () =>
        caller.send({ text, immediate: true }),
      ),
    );
    const taskIds = begun.filter((task): task is Task => task !== undefined).map(({ id }) => id);
    if (taskIds.length < begun.length) throw new Error("not all tasks began");
    await using many = watchMany({
      ports: cluster.members.map(({ node }) => node.options.port),
      taskIds,
      watchers,
      results: join(dirname(cluster.traces), "watchers.json"),
    });
    await many.untilBack();
    for (let round = 0; round < 2; round += 1) {
      await recorder.fault(`all connections of ${watchers} watchers cut`, undefined, async () => {
        cluster.proxy.hangUp();
        many.drop();
        await many.untilBack();
      });
    }
    await Promise.all(taskIds.map((taskId) => cancelUntilEnded(caller, taskId)));
    await many.finish(recorder);
  },
  check({ streams }) {
    const open = streams.filter(
      ({ outcome, taskId }) => outcome === "open" && taskId !== undefined,
    ).length;
    return open === 0 ? [] : [`${open} streams did not come to their end`];
  },
};

/** Cancels a task, again where an answer is lost. */
async function cancelUntilEnded(caller: Caller, taskId: string): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    await caller.cancel(taskId);
    const task = await caller.get(taskId);
    if (task !== undefined && isTerminal(task.status.state)) return;
    await pause(500, unhurried);
  }
  throw new Error(`task ${taskId} could not be canceled`);
}
