import type { NewTask, Scope } from "../../store/internal.js";

/** What never changes about a task: its ids, its owner, its agent, its context and where it was created. */
export interface TaskIdentity extends NewTask {
  /** The key of the task in the store. */
  readonly taskId: string;
  /** The id that callers see. It differs from the key where a 0.1 client chose the id. */
  readonly publicId: string;
}

/**
 * Marks the keys of tasks whose ids clients of 0.1 chose. Such an id is unique only among its owner's tasks with
 * one agent, so its key includes the agent and the owner: two owners may choose the same id, and neither learns of
 * the other. Ids that this server creates are unique and are their own keys.
 */
const mark = "client:";

export function clientTaskKey({ agent, tenant, subject }: Scope, id: string): string {
  // The last three parts contain no slash, so the agent may be anything.
  const parts = [tenant, subject, id].map(encodeURIComponent);
  return `${mark}${agent}/${parts.join("/")}`;
}

/** The id that callers see, from the key in the store. */
export function publicTaskId(key: string): string {
  if (!key.startsWith(mark)) return key;
  return decodeURIComponent(key.slice(key.lastIndexOf("/") + 1));
}
