import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { simulate } from "@parley/a2a/testing";
import type { SimulationWave } from "@parley/a2a/testing";

/** One size of a cluster, without faults. */
interface Size {
  readonly nodes: number;
  readonly tasks: number;
}

/** The same tasks for one node up to a thousand; then more and more tasks for ten nodes, in one run. */
const nodeCounts = [1, 10, 100, 1000];
const tasksForAll = 1000;
const nodesForTasks = 10;
const taskCounts = [10_000, 100_000, 1_000_000];

/** What one size costs. */
interface Cost extends Size {
  /** Requests to the store in a simulated second while nothing happens, the start of the nodes included. */
  readonly idle: number;
  /** Requests and wake-ups for all tasks; the requests without those of idle nodes. */
  readonly requests: number;
  readonly messages: number;
  /** What the heap has in the end, in megabytes, when all is at rest and garbage is collected: all nodes, and the last tasks in their store. */
  readonly megabytes: number;
  /** What the heap had at most: garbage, too, and what is checked. */
  readonly peak: number;
  /** Time of the processor. */
  readonly seconds: number;
}

/**
 * Shows what nodes and tasks cost: requests to the store, wake-ups, memory, and by which power each grows. Callers send one message
 * each and wait. Ten thousand tasks come at a time, and are checked and deleted before the next ones come. Fails when a task
 * does not get its answer, or when anything is not as it should be.
 */
export async function printGrowth(maxTasks: number): Promise<void> {
  const byNodes: Cost[] = [];
  for (const nodes of nodeCounts) {
    byNodes.push(...(await measure({ nodes, tasks: tasksForAll }, [tasksForAll])));
  }
  const counts = [...taskCounts.filter((count) => count < maxTasks), maxTasks];
  const byTasks = await measure({ nodes: nodesForTasks, tasks: maxTasks }, counts);
  console.table([...byNodes, ...byTasks].map(toRow));
  console.log("Powers by which it grows: 1 is in proportion, 0 is not at all.");
  console.table({
    nodes: {
      "requests/s idle": power(byNodes, "nodes", "idle"),
      "requests for tasks": power(byNodes, "nodes", "requests"),
      "wake-ups": power(byNodes, "nodes", "messages"),
      MB: power(byNodes, "nodes", "megabytes"),
    },
    tasks: {
      "requests for tasks": power(byTasks, "tasks", "requests"),
      "wake-ups": power(byTasks, "tasks", "messages"),
      MB: power(byTasks, "tasks", "megabytes"),
      seconds: power(byTasks, "tasks", "seconds"),
    },
  });
  const [one, ...more] = byNodes;
  const most = more.at(-1);
  if (one === undefined || most === undefined) return;
  const each = (most.megabytes - one.megabytes) / (most.nodes - one.nodes);
  console.log(`A node more takes ${Math.round(each * 1000)} KB of heap.`);
}

/** Plays tasks, and returns what the first so many of them have cost, for each count. */
async function measure({ nodes, tasks }: Size, counts: readonly number[]): Promise<Cost[]> {
  const light = { seeds: 1, nodes, faults: [], isLight: true } as const;
  let idle = 0;
  await simulate({
    ...light,
    tasks: 1,
    onWave: ({ statements, simulatedMs }) => (idle = statements / (simulatedMs / 1000)),
  });
  const costs: Cost[] = [];
  const begunAt = process.cpuUsage();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().heapUsed / 1e6);
  }, 100);
  const onWave = ({ tasks: done, simulatedMs, statements, messages }: SimulationWave): void => {
    const { user, system } = process.cpuUsage(begunAt);
    collectGarbage();
    const cost: Cost = {
      nodes,
      tasks: done,
      idle,
      requests: statements - idle * (simulatedMs / 1000),
      messages,
      megabytes: process.memoryUsage().heapUsed / 1e6,
      peak,
      seconds: (user + system) / 1e6,
    };
    process.stderr.write(`${JSON.stringify(toRow(cost))}\n`);
    if (counts.includes(done)) costs.push(cost);
  };
  const { failures } = await simulate({ ...light, tasks, onWave });
  clearInterval(watch);
  const [failure] = failures;
  if (failure === undefined) return costs;
  const [first, ...others] = failure.violations;
  throw new Error(
    `${tasks} tasks on ${nodes} nodes, and ${first?.message} (and ${others.length} more)`,
  );
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function toRow({ nodes, tasks, idle, requests, messages, megabytes, peak, seconds }: Cost) {
  return {
    nodes,
    tasks,
    "requests/s idle": Math.round(idle),
    "the same per node": (idle / nodes).toFixed(1),
    "requests per task": (requests / tasks).toFixed(2),
    "wake-ups per task": (messages / tasks).toFixed(2),
    "MB at rest": Math.round(megabytes),
    "MB at most": Math.round(peak),
    "CPU s": seconds.toFixed(1),
  };
}

/** The slope of a line through the logarithms: the power by which one grows with the other. */
function power(costs: readonly Cost[], by: "nodes" | "tasks", of: keyof Cost): string {
  const points = costs.map(
    (cost) => [Math.log(cost[by]), Math.log(Math.max(cost[of], 1))] as const,
  );
  const mean = (index: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[index], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return (above / below).toFixed(2);
}
