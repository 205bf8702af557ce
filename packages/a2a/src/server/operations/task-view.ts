import { foldTask, TaskFold } from "../../protocol/internal.js";
import type { Task, TaskEvent } from "../../protocol/internal.js";
import type { StoredTask } from "../../store/internal.js";
import { isTaskEvent } from "../log/live-entry.js";

/** The fold of a checkpoint and the entries after it. */
export function foldStored({ checkpoint, tail }: StoredTask): Task {
  const events = tail.flatMap(({ event }): TaskEvent[] => (isTaskEvent(event) ? [event] : []));
  if (checkpoint === undefined) return foldTask(events);
  const fold = new TaskFold(checkpoint.task);
  for (const event of events) fold.apply(event);
  return fold.task();
}

/** Limits the history to the latest messages. 0 leaves it out; `undefined` keeps all of it (§3.2.4). */
export function withHistory(task: Task, historyLength: number | undefined): Task {
  const { history, ...rest } = task;
  if (history === undefined || historyLength === undefined) return task;
  return historyLength === 0 ? rest : { ...rest, history: history.slice(-historyLength) };
}

export function withoutArtifacts(task: Task): Task {
  const { artifacts: _, ...rest } = task;
  return rest;
}
