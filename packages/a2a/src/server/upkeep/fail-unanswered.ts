import type { Agent } from "../author/agent.js";
import { failTask } from "../run/fail-task.js";
import type { RunEnvironment } from "../run-environment.js";

const batchSize = 32;

const waitingStates = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const;

/** Fails tasks that have waited for an answer longer than `maxWaitMs`. Returns how many: at most a batch. */
export async function failUnanswered(
  environment: RunEnvironment,
  { name }: Agent,
  maxWaitMs: number,
): Promise<number> {
  const { store, clock, node, liveTasks } = environment;
  let failed = 0;
  for (const state of waitingStates) {
    const after = { statusAt: clock.now() - maxWaitMs, taskId: "" };
    const { tasks } = await store.list({ agent: name, state, after, limit: batchSize });
    for (const { record } of tasks) {
      const { taskId, epoch, sequence } = record;
      // Fails if an answer has come since.
      const claimed = await store.claim({ taskId, node, epoch, sequence });
      const handle = claimed === undefined ? undefined : await liveTasks.open(taskId);
      if (claimed === undefined || handle === undefined) continue;
      try {
        handle.live.replica.adopt(claimed);
        const held = { live: handle.live, epoch: claimed };
        await failTask(environment, held, `Nobody answered within ${describe(maxWaitMs)}.`);
        failed += 1;
      } finally {
        handle.release();
      }
    }
  }
  return failed;
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
