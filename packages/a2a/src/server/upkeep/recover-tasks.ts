import { isSettled } from "../../protocol/internal.js";
import type { ClaimedTask } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** How many tasks are taken over at a time, so that the remaining nodes share the tasks of a dead one. */
const batchSize = 32;

interface Recovery {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly runner: Runner;
}

/**
 * Takes over active tasks on which no run works: their node has died, or has lost them when the store failed. A
 * durable agent continues them; other agents' tasks fail with an explanation, unless an answer was not taken up:
 * those begin again. Returns how many it recovered. A task that cannot be recovered is reported and does not hold up
 * the others.
 */
export async function recoverTasks(recovery: Recovery): Promise<number> {
  const { environment, agent, runner } = recovery;
  if (agent.durable && runner.isFull) return 0;
  const { store, node, orphans } = environment;
  const claimed = [
    ...(await claimOrphans(recovery)),
    ...(await store.claimAbandoned(agent.name, node, batchSize)),
  ];
  const recovered = claimed.map(async (task) => {
    try {
      return await recoverTask(recovery, task);
    } catch (error) {
      orphans.add(task.taskId);
      environment.report(error, task.taskId);
      return false;
    }
  });
  return (await Promise.all(recovered)).filter(Boolean).length;
}

/** Claims the tasks that are under this node although no run works on them. */
async function claimOrphans({ environment }: Recovery): Promise<readonly ClaimedTask[]> {
  const { store, node, orphans, report } = environment;
  const claimed: ClaimedTask[] = [];
  for (const taskId of orphans) {
    try {
      const record = await store.loadRecord(taskId);
      if (record?.node !== node || isSettled(record.state)) {
        orphans.delete(taskId);
        continue;
      }
      // Fails if anything was written since: the task may have settled, or a run may work on it. A claim whose answer is
      // lost leaves the task among the orphans.
      const { epoch: before, sequence } = record;
      const epoch = await store.claim({ taskId, node, epoch: before, sequence });
      if (epoch === undefined) continue;
      orphans.delete(taskId);
      claimed.push({ taskId, epoch, sequence });
    } catch (error) {
      report(error, taskId);
    }
  }
  return claimed;
}

/** False when no run could be started. */
async function recoverTask(
  { environment, runner }: Recovery,
  { taskId, epoch }: ClaimedTask,
): Promise<boolean> {
  const { liveTasks } = environment;
  const handle = await liveTasks.open(taskId);
  if (handle === undefined) return false;
  handle.live.replica.adopt(epoch);
  return await runner.startAgain({ handle, epoch }, { isRecovery: true });
}
