import type { Task } from "../task.js";

/**
 * The extension that carries the progress and the structured error of a status: `{ progress, error }` in
 * the metadata of a status update and of its task. Versions before 1.0 have both as members of the status.
 */
export const statusDetailsUri = "urn:parley:a2a:status-details:v1";

/**
 * How far the agent has come with a task, from 0 to 1, as the task or a status update of it says; `undefined` when
 * it does not say. Events of the client have it as `progress`.
 */
export function progressOf(owner: Pick<Task, "metadata"> | undefined): number | undefined {
  const details = owner?.metadata?.[statusDetailsUri];
  const progress = (details as { readonly progress?: unknown } | null | undefined)?.progress;
  return typeof progress === "number" ? progress : undefined;
}
