import { A2AError } from "../protocol/internal.js";
import type { Usage } from "./usage-store.js";

/**
 * How much may be kept. A store checks it in the transaction that writes, so that it holds however many nodes write at
 * the same time. It refuses what exceeds a limit with `RESOURCE_EXHAUSTED`, after everything else that may refuse the
 * write, and nothing is written. An absent limit is none.
 */
export interface Limits {
  /** The tasks and kept replies of a subject with an agent. Checked where one is added. */
  readonly maxTasks?: number;
  /** The bytes that all of them take up. One who has reached it adds nothing more. */
  readonly maxBytes?: number;
  /** The push configurations of a task. Checked where one is added, not where one is replaced. */
  readonly maxPushConfigs?: number;
}

/** Only retention deletes tasks, so a caller with too many has to wait for it. */
const retryAfterSeconds = 3600;

/** Throws when a subject keeps as much as it may. */
export function checkUsage(
  { tasks, bytes }: Usage,
  { maxTasks = Infinity, maxBytes = Infinity }: Limits,
  adds: "task" | "part",
): void {
  if (adds === "task" && tasks >= maxTasks) {
    throw full(`you have ${tasks} tasks and kept replies, the limit is ${maxTasks}`);
  }
  if (bytes >= maxBytes) {
    throw full(`your tasks take up ${bytes} bytes, the limit is ${maxBytes}`);
  }
}

/** Throws when a task that has so many configurations may have no more. */
export function checkPushConfigs(count: number, { maxPushConfigs = Infinity }: Limits): void {
  if (count < maxPushConfigs) return;
  const message = `a task can have ${maxPushConfigs} push configurations; delete one first`;
  throw new A2AError("RESOURCE_EXHAUSTED", message);
}

/** False when nothing limits what a subject keeps, so that its usage need not be known. */
export function limitsUsage({ maxTasks, maxBytes }: Limits): boolean {
  return maxTasks !== undefined || maxBytes !== undefined;
}

function full(message: string): A2AError {
  return new A2AError("RESOURCE_EXHAUSTED", message, { details: { retryAfterSeconds } });
}
