import type { TaskState } from "../../protocol/internal.js";
import type { CountedTasks, FinalConfig, FinalState, FinalTask } from "../history/history.js";
import { readTask } from "./cluster/read-task.js";
import type { StoreHub } from "./cluster/store-hub.js";
import type { World } from "./world/world.js";

const agent = "worker";
const page = 1000;

/** Reads what the store holds when all is over. */
export async function readEnd(world: World, hub: StoreHub, leaseMs: number): Promise<FinalState> {
  const { store } = hub;
  const tasks: FinalTask[] = [];
  const configs: FinalConfig[] = [];
  for (const taskId of hub.taskIds) {
    const whole = (await readTask(hub, taskId)) ?? hub.deleted(taskId);
    if (whole === undefined) continue;
    tasks.push(whole.task);
    configs.push(...whole.configs);
  }
  const { waiting } = await store.countDeliveries(agent);
  const dueAt = await store.nextDeliveryAt(agent);
  const storeNow = world.startAt + world.nowMs;
  return {
    readAt: world.nowMs,
    leaseMs,
    tasks,
    configs,
    liveNodes: (await store.listNodes())
      .filter(({ leaseLeftMs }) => leaseLeftMs > 0)
      .map(({ node }) => node),
    outbox: {
      waiting,
      buried: await store.listBuried({ agent, limit: page }),
      // Due times are those of the nodes' clocks: where those are wrong, notifications come late.
      ...(dueAt !== undefined && !world.faults.has("skew") && { overdueMs: storeNow - dueAt }),
    },
    counts: hub.hasForgotten ? [] : await countTasks(hub, tasks),
  };
}

async function countTasks(
  { store }: StoreHub,
  tasks: readonly FinalTask[],
): Promise<readonly CountedTasks[]> {
  const states = new Set<TaskState>(tasks.map(({ record }) => record.state));
  const subjects = new Set(tasks.map(({ record }) => record.owner.subject));
  const counts: CountedTasks[] = [
    { agent, tasks: (await store.list({ agent, limit: 1 })).totalSize },
  ];
  for (const state of states) {
    counts.push({ agent, state, tasks: (await store.list({ agent, state, limit: 1 })).totalSize });
  }
  for (const subject of subjects) {
    const { totalSize } = await store.list({ agent, owner: { tenant: "", subject }, limit: 1 });
    counts.push({ agent, subject, tasks: totalSize });
  }
  return counts;
}
