import type { Task } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";

/** How a handler reads other tasks of its caller. */
export interface RelatedTasks {
  /** The owner's tasks with these ids, as far as they exist. */
  referenced(owner: Owner, ids: readonly string[]): Promise<readonly Task[]>;
  /** The owner's tasks of a context, the latest first. */
  earlier(owner: Owner, contextId: string, limit: number): Promise<readonly Task[]>;
}
