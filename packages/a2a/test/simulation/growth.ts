import process from "node:process";
import { simulate } from "@parley/a2a/testing";

/** One size of a cluster, without faults. */
interface Size {
  readonly nodes: number;
  readonly tasks: number;
}

/** From one node to a thousand with the same tasks; then more and more tasks for ten nodes. */
const byNodes: readonly Size[] = [1, 10, 100, 1000].map((nodes) => ({ nodes, tasks: 1000 }));
const mostTasks = [10_000, 100_000, 1_000_000];

/** What one size costs. */
interface Cost extends Size {
  /** Requests to the store in a simulated second while nothing happens. */
  readonly idle: number;
  /** Requests and wake-ups for all tasks, without what idle nodes ask. */
  readonly requests: number;
  readonly messages: number;
  /** What the heap had at most, in megabytes: all nodes, their store, and what is checked. */
  readonly megabytes: number;
  readonly seconds: number;
  readonly failures: number;
}

/**
 * Shows what nodes and tasks cost: requests to the store, wake-ups, memory, and by which power each grows. Callers send one message
 * each and wait; ended tasks are checked and deleted along the way. A million tasks take ten minutes or more.
 */
export async function printGrowth(maxTasks: number): Promise<void> {
  const grown: Cost[] = [];
  for (const size of byNodes) grown.push(await measure(size));
  const first = grown.find(({ nodes }) => nodes === 10);
  const longer: Cost[] = first === undefined ? [] : [first];
  for (const tasks of mostTasks) {
    if (tasks <= maxTasks) longer.push(await measure({ nodes: 10, tasks }));
  }
  console.table([...grown, ...longer.slice(1)].map(toRow));
  console.log("Powers by which it grows: 1 is in proportion, 0 is not at all.");
  console.table({
    nodes: {
      "requests/s idle": power(grown, "nodes", "idle"),
      "requests for tasks": power(grown, "nodes", "requests"),
      "wake-ups": power(grown, "nodes", "messages"),
      MB: power(grown, "nodes", "megabytes"),
    },
    tasks: {
      "requests for tasks": power(longer, "tasks", "requests"),
      "wake-ups": power(longer, "tasks", "messages"),
      MB: power(longer, "tasks", "megabytes"),
      seconds: power(longer, "tasks", "seconds"),
    },
  });
}

async function measure({ nodes, tasks }: Size): Promise<Cost> {
  const idle = await simulate({ seeds: 1, nodes, tasks: 1, faults: [], isLight: true });
  const idleRate = idle.statements / (idle.simulatedMs / 1000);
  const begunAt = performance.now();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().heapUsed);
  }, 100);
  const busy = await simulate({ seeds: 1, nodes, tasks, faults: [], isLight: true });
  clearInterval(watch);
  const cost: Cost = {
    nodes,
    tasks,
    idle: idleRate,
    requests: busy.statements - idleRate * (busy.simulatedMs / 1000),
    messages: busy.messages - nodes,
    megabytes: peak / 1e6,
    seconds: (performance.now() - begunAt) / 1000,
    failures: busy.failures.length,
  };
  process.stderr.write(`${JSON.stringify(toRow(cost))}\n`);
  return cost;
}

function toRow({ nodes, tasks, idle, requests, messages, megabytes, seconds, failures }: Cost) {
  return {
    nodes,
    tasks,
    "requests/s idle": Math.round(idle),
    "the same per node": (idle / nodes).toFixed(1),
    "requests per task": (requests / tasks).toFixed(1),
    "wake-ups per task": (messages / tasks).toFixed(1),
    MB: Math.round(megabytes),
    seconds: seconds.toFixed(1),
    failures,
  };
}

/** The slope of a line through the logarithms: the power by which one grows with the other. */
function power(costs: readonly Cost[], by: "nodes" | "tasks", of: keyof Cost): string {
  const points = costs.map(
    (cost) => [Math.log(cost[by]), Math.log(Math.max(cost[of], 1))] as const,
  );
  const mean = (index: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const above = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  const below = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return (above / below).toFixed(2);
}
