import { isSettled } from "../../protocol/internal.js";
import type { TaskRecord } from "../../store/internal.js";
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
  const recovered = (await findLost(recovery)).map(async (record) => {
    try {
      return await recoverTask(recovery, record);
    } catch (error) {
      environment.report(error, record.taskId);
      return false;
    }
  });
  return (await Promise.all(recovered)).filter(Boolean).length;
}

/**
 * Tasks on which no run works, with the epochs they had then: a claim with that epoch fails if another node has
 * claimed the task since. Tasks on which this node works are not lost, even if its lease has lapsed.
 */
async function findLost({ environment, agent }: Recovery): Promise<readonly TaskRecord[]> {
  const { store, clock, node, orphans } = environment;
  const findAbandoned = (): Promise<readonly string[]> =>
    store.findAbandoned(agent.name, clock.now(), batchSize);
  const lost: TaskRecord[] = [];
  for (const taskId of orphans) {
    const record = await store.loadRecord(taskId);
    if (record?.node === node && !isSettled(record.state)) lost.push(record);
    else orphans.delete(taskId);
  }
  const found = await findAbandoned();
  if (found.length === 0) return lost;
  const records = await Promise.all(found.map((taskId) => store.loadRecord(taskId)));
  // Asks again after the epochs were read. A task that was claimed before that is missing here; a claim after that
  // raises the epoch.
  const abandoned = new Set(await findAbandoned());
  for (const record of records) {
    if (record === undefined || record.node === node) continue;
    if (abandoned.has(record.taskId)) lost.push(record);
  }
  return lost;
}

/** False when another node was faster, or when no run could be started. */
async function recoverTask(
  { environment, runner }: Recovery,
  { taskId, epoch: lostEpoch, sequence }: TaskRecord,
): Promise<boolean> {
  const { store, liveTasks, node, orphans } = environment;
  // Fails if anything was written since: the task may have settled, or a run may work on it.
  const epoch = await store.claim({ taskId, node, epoch: lostEpoch, sequence });
  if (epoch === undefined) return false;
  orphans.delete(taskId);
  try {
    const handle = await liveTasks.open(taskId);
    if (handle === undefined) return false;
    handle.live.replica.adopt(epoch);
    return await runner.startAgain({ handle, epoch }, { isRecovery: true });
  } catch (error) {
    orphans.add(taskId);
    throw error;
  }
}
