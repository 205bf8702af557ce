import type { Agent } from "../author/agent.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";

/** Tasks that no handler here works on, and where their logs stood when they were found. */
export type Strays = ReadonlyMap<string, string>;

/**
 * Compares what this node holds according to the store with what it works on. A waiting handler whose task is active
 * has an answer whose wake-up was lost: it goes on. A task that nobody here works on, and that has not changed since
 * the last time, is left to recovery. Returns the tasks to look at next time.
 */
export async function findStrays(
  { store, node, orphans }: RunEnvironment,
  {
    agent,
    runner,
    before,
  }: { readonly agent: Agent; readonly runner: Runner; readonly before: Strays },
): Promise<Strays> {
  const strays = new Map<string, string>();
  for (const taskId of await store.listHeld(agent.name, node)) {
    if (runner.isAtWork(taskId) || orphans.has(taskId) || runner.wake(taskId)) continue;
    const record = await store.loadRecord(taskId);
    if (record === undefined) continue;
    const stands = `${record.epoch}/${record.sequence}`;
    if (before.get(taskId) === stands) orphans.add(taskId);
    else strays.set(taskId, stands);
  }
  return strays;
}
