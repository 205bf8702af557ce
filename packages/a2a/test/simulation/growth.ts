import process from "node:process";
import { simulate } from "@parley/a2a/testing";

/** One size of a cluster, without faults. */
interface Size {
  readonly nodes: number;
  readonly tasks: number;
}

/** From one node to a thousand, with a little work for each; then more and more tasks for ten nodes. */
const sizes: readonly Size[] = [
  { nodes: 1, tasks: 100 },
  { nodes: 10, tasks: 100 },
  { nodes: 100, tasks: 100 },
  { nodes: 1000, tasks: 100 },
  { nodes: 10, tasks: 1000 },
  { nodes: 10, tasks: 10_000 },
  { nodes: 10, tasks: 100_000 },
];

/** Shows what nodes and tasks cost: requests to the store, wake-ups, memory. Ended tasks are deleted along the way. */
export async function printGrowth(): Promise<void> {
  const rows = [];
  for (const { nodes, tasks } of sizes) {
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    const begunAt = performance.now();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    }, 100);
    const idle = await simulate({ seeds: 1, nodes, tasks: 1, faults: [] });
    const busy = await simulate({ seeds: 1, nodes, tasks, faults: [] });
    clearInterval(watch);
    const idleRate = idle.statements / (idle.simulatedMs / 1000);
    const forTasks = busy.statements - idleRate * (busy.simulatedMs / 1000);
    rows.push({
      nodes,
      tasks,
      "requests/s idle": Math.round(idleRate),
      "requests/s idle per node": (idleRate / nodes).toFixed(1),
      "requests per task": (forTasks / tasks).toFixed(1),
      "wake-ups per task": (busy.messages / tasks).toFixed(1),
      MB: Math.round((peak - before) / 1e6),
      steps: busy.steps,
      s: ((performance.now() - begunAt) / 1000).toFixed(1),
      failures: busy.failures.length,
    });
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
  }
  console.table(rows);
}
