import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** Tasks that no handler here works on, and their epochs when they were found. */
export type Strays = ReadonlyMap<string, number>;

/**
 * Compares what this node holds according to the store with what it works on. A waiting handler whose task is active
 * has an answer whose wake-up was lost: it goes on. A task that nobody here works on, and nobody has claimed since the
 * last time, is left to recovery: the answer to this node's claim of it was lost, for example. Returns the tasks to look
 * at next time.
 */
export async function findStrays(
  { store, node, orphans }: RunEnvironment,
  {
    agent,
    runner,
    before,
  }: { readonly agent: Agent; readonly runner: Runner; readonly before: Strays },
): Promise<Strays> {
  const strays = new Map<string, number>();
  for (const taskId of await store.listHeld(agent.name, node)) {
    if (runner.isAtWork(taskId) || orphans.has(taskId) || runner.answers.wake(taskId)) continue;
    const record = await store.loadRecord(taskId);
    if (record === undefined) continue;
    if (before.get(taskId) === record.epoch) orphans.add(taskId);
    else strays.set(taskId, record.epoch);
  }
  return strays;
}
