import { isSettled } from "../../protocol/internal.js";
import type { ClaimedTask } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { claimTask } from "../log/claim-task.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** What recovery works with. */
export interface Recovery {
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

/** Goes on with claimed tasks. One that cannot be recovered is reported and does not hold up the others. */
export async function recover(recovery: Recovery, claimed: readonly ClaimedTask[]): Promise<void> {
  const { orphans, report } = recovery.environment;
  const recovered = claimed.map(async (task) => {
    try {
      await recoverTask(recovery, task);
    } catch (error) {
      orphans.add(task.taskId);
      report(error, task.taskId);
    }
  });
  await Promise.all(recovered);
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

async function recoverTask(
  { environment, runner }: Recovery,
  { taskId, epoch, isHandedOver }: ClaimedTask,
): Promise<void> {
  const { liveTasks } = environment;
  const handle = await liveTasks.open(taskId);
  if (handle === undefined) return;
  handle.live.replica.adopt(epoch);
  await runner.startAgain(
    { handle, epoch },
    {
      isRecovery: true,
      isHandedOver: isHandedOver === true,
    },
  );
}
