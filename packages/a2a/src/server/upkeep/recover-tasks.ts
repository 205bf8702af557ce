import { isSettled } from "../../protocol/internal.js";
import type { ClaimedTask } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { claimTask } from "../log/claim-task.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** How many tasks are taken over at a time, so that the remaining nodes share the tasks of a dead one. */
const batchSize = 32;

/** How much of `leaseMs` a claim may wait for the store; see `NodeLease.mayClaim`. */
const claimShare = 1 / 8;

interface Recovery {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly runner: Runner;
}

/**
 * Takes up the tasks that are under this node although no run works on them, because the store failed. A durable agent
 * continues them; other agents' tasks fail with an explanation, unless an answer was not taken up: those begin again.
 */
export async function recoverOrphans(recovery: Recovery): Promise<void> {
  await recover(recovery, await claimOrphans(recovery));
}

/**
 * Takes over active tasks of nodes that have died or have handed them over, in the same way. Returns whether there may
 * be more for this node. Where there are others, one that has no free slot takes a single task and leaves the rest to
 * nodes that have.
 */
export async function takeOverTasks(recovery: Recovery, isAlone: boolean): Promise<boolean> {
  const { environment, agent, runner } = recovery;
  if (agent.durable && runner.isFull) return false;
  const { store, node, settings } = environment;
  const isLimited = agent.durable && !isAlone;
  const limit = isLimited ? Math.min(batchSize, Math.max(1, runner.freeSlots)) : batchSize;
  const claimed = await store.claimAbandoned(
    agent.name,
    node,
    limit,
    settings.leaseMs * claimShare,
  );
  const recovered = await recover(recovery, claimed);
  return recovered > 0 && (!isLimited || runner.freeSlots > 0);
}

/** Returns how many runs it started. A task that cannot be recovered is reported and does not hold up the others. */
async function recover(recovery: Recovery, claimed: readonly ClaimedTask[]): Promise<number> {
  const { orphans, report } = recovery.environment;
  const recovered = claimed.map(async (task) => {
    try {
      return await recoverTask(recovery, task);
    } catch (error) {
      orphans.add(task.taskId);
      report(error, task.taskId);
      return false;
    }
  });
  return (await Promise.all(recovered)).filter(Boolean).length;
}

/** Claims the tasks that are under this node although no run works on them. */
async function claimOrphans({ environment, runner }: Recovery): Promise<readonly ClaimedTask[]> {
  const { store, node, orphans, report } = environment;
  const claimed: ClaimedTask[] = [];
  for (const taskId of orphans) {
    try {
      const record = await store.loadRecord(taskId);
      const isHere = record?.node === node && !isSettled(record.state);
      // A claim whose answer was lost may not have been applied, and then the run goes on.
      if (!isHere || runner.isAtWork(taskId, record.epoch)) {
        orphans.delete(taskId);
        continue;
      }
      // Fails if anything was written since: the task may have settled, or a run may work on it. A claim whose answer is
      // lost leaves the task among the orphans.
      const { epoch: before, sequence } = record;
      const epoch = await claimTask(environment, { taskId, epoch: before, sequence });
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
  return runner.startAgain({ handle, epoch }, { isRecovery: true });
}
