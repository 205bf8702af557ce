import type { Task } from "../../protocol/internal.js";

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
