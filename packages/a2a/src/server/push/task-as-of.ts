import { A2AError, foldTask, TaskFold } from "../../protocol/internal.js";
import type { Task, TaskEvent } from "../../protocol/internal.js";
import type { LogEntry, TaskStore } from "../../store/internal.js";
import { isTaskEvent } from "../log/live-entry.js";

const pageSize = 1000;

/** A task as it was right after an entry of its log. */
export async function taskAsOf(
  store: Pick<TaskStore, "load" | "read">,
  taskId: string,
  sequence: number,
): Promise<Task> {
  const stored = await store.load(taskId);
  if (stored === undefined) throw new A2AError("TASK_NOT_FOUND", `there is no task ${taskId}`);
  const { checkpoint, tail } = stored;
  const isPast = checkpoint !== undefined && checkpoint.sequence > sequence;
  if (checkpoint === undefined || isPast) {
    return foldTask(eventsUpTo(isPast ? await readUpTo(store, taskId, sequence) : tail, sequence));
  }
  const fold = new TaskFold(checkpoint.task);
  for (const event of eventsUpTo(tail, sequence)) fold.apply(event);
  return fold.task();
}

async function readUpTo(
  store: Pick<TaskStore, "read">,
  taskId: string,
  sequence: number,
): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  while (entries.length < sequence) {
    const page = await store.read(
      taskId,
      entries.length,
      Math.min(pageSize, sequence - entries.length),
    );
    if (page.length === 0) break;
    for (const entry of page) entries.push(entry);
  }
  return entries;
}

function eventsUpTo(entries: readonly LogEntry[], sequence: number): TaskEvent[] {
  return entries.flatMap((entry) =>
    entry.sequence <= sequence && isTaskEvent(entry.event) ? [entry.event] : [],
  );
}
