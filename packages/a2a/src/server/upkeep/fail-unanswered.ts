import type { TaskRecord } from "../../store/internal.js";
import { isInterrupted } from "../../protocol/internal.js";
import type { Agent } from "../author/agent.js";
import { claimTask } from "../log/claim-task.js";
import { failTask } from "../run/fail-task.js";
import type { RunEnvironment } from "../run-environment.js";

const batchSize = 32;

const waitingStates = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const;

/**
 * Fails tasks that have waited for an answer longer than `waitingRetentionMs`. Returns how many: at most a batch of each state.
 * A task that cannot be failed is reported and does not hold up the others.
 */
export async function failUnanswered(
  environment: RunEnvironment,
  { name }: Agent,
  waitingMs: number,
): Promise<number> {
  const { store, clock, report } = environment;
  const reason = `Nobody answered within ${describe(waitingMs)}.`;
  let failed = 0;
  for (const state of waitingStates) {
    const after = { statusAt: clock.now() - waitingMs, taskId: "" };
    const { tasks } = await store.list({ agent: name, state, after, limit: batchSize });
    for (const { record } of tasks) {
      try {
        if (await claimAndFail(environment, record, reason)) failed += 1;
      } catch (error) {
        report(error, record.taskId);
      }
    }
  }
  return failed;
}

/** False when an answer has come since. */
async function claimAndFail(
  environment: RunEnvironment,
  { taskId, epoch, sequence }: TaskRecord,
  reason: string,
): Promise<boolean> {
  const { liveTasks } = environment;
  const claimed = await claimTask(environment, { taskId, epoch, sequence });
  const handle = claimed === undefined ? undefined : await liveTasks.open(taskId);
  if (claimed === undefined || handle === undefined) return false;
  try {
    handle.live.replica.adopt(claimed);
    await failTask(environment, { live: handle.live, epoch: claimed }, reason, isInterrupted);
    return true;
  } finally {
    handle.release();
  }
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

function describe(ms: number): string {
  const [unit, length] = units.find(([, size]) => ms >= size) ?? ["second", 1000];
  const count = Math.round((ms / length) * 10) / 10;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
