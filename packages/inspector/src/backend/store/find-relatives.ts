import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import { findRecord, listTasks } from "./list-tasks.js";
import type { TaskSource } from "./task-source.js";

/** How many of the latest tasks are looked at, and how much of the beginning of each: its first run is there. */
const maxTasks = 200;
const beginLength = 4;

const beginBytes = 64 * 1024;

/** How much of the task itself is read: later runs may have traces of their own. */
const ownLength = 500;
const ownBytes = 1024 * 1024;

/**
 * Tasks of other contexts that were begun in the same trace: those that this one has called, or came from. Stores find no
 * task by its trace, so the latest ones are looked at.
 */
export async function findRelatives(
  source: TaskSource,
  taskId: string,
): Promise<readonly TaskRecord[]> {
  const { store } = source;
  const { contextId } = await findRecord(store, taskId);
  const traces = tracesOf(await store.read(taskId, 0, ownLength, ownBytes));
  if (traces.size === 0) return [];
  const { tasks } = await listTasks(source, new URLSearchParams({ limit: String(maxTasks) }));
  const found: TaskRecord[] = [];
  // One after the other: the entries of callers may be large, and only their traces are kept.
  for (const record of tasks) {
    if (record.taskId === taskId || record.contextId === contextId) continue;
    const begin = await store.read(record.taskId, 0, beginLength, beginBytes);
    if ([...tracesOf(begin)].some((trace) => traces.has(trace))) found.push(record);
  }
  return found;
}

/** The traces in which a task was called, and those of its runs. */
function tracesOf(entries: readonly LogEntry[]): ReadonlySet<string> {
  return new Set(
    entries.flatMap(({ event }) => {
      const called = "call" in event ? event.call?.["trace"] : undefined;
      const own = "trace" in event ? event.trace : undefined;
      return [called, own].flatMap((trace) => traceIdOf(trace) ?? []);
    }),
  );
}

function traceIdOf(trace: unknown): string | undefined {
  if (typeof trace !== "object" || trace === null || !("traceparent" in trace)) return undefined;
  return String(trace.traceparent).split("-")[1];
}
