import type { TaskRecord } from "@parley/a2a/store";
import type { Feed } from "../record/feed.js";
import { agentNames } from "./task-source.js";
import type { TaskSource } from "./task-source.js";

const everyMs = 1000;
const maxTasks = 50;

/**
 * Tells on the feed which tasks have changed, as long as somebody reads it. The first look tells all it finds: a
 * reader may have read its lists before one of them changed. Returns what stops it.
 */
export function followStore(source: TaskSource, feed: Feed): () => void {
  const known = new Map<string, number>();
  let isBusy = false;

  async function look(): Promise<void> {
    const omits = ["artifacts", "history"] as const;
    const agents = await agentNames(source);
    const pages = await Promise.all(
      agents.flatMap((agent) => [
        source.store.list({ agent, limit: maxTasks, omits, maxBytes: 1024 * 1024 }),
        source.store.list({
          agent,
          state: "TASK_STATE_WORKING",
          limit: maxTasks,
          omits,
          maxBytes: 1024 * 1024,
        }),
      ]),
    );
    const records = new Map<string, TaskRecord>();
    for (const { tasks } of pages)
      for (const { record } of tasks) records.set(record.taskId, record);
    for (const { taskId, state, sequence } of records.values()) {
      const isNews = known.get(taskId) !== sequence;
      known.set(taskId, sequence);
      if (isNews) feed.add({ kind: "task", taskId, state, sequence });
    }
    for (const taskId of known.keys()) if (!records.has(taskId)) known.delete(taskId);
  }

  const timer = setInterval(() => {
    if (isBusy || feed.readers === 0) return;
    isBusy = true;
    // A store that fails says so to its server; the next look tries again.
    void look()
      .catch(() => undefined)
      .finally(() => (isBusy = false));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
