import type { Task } from "../../protocol/internal.js";
import type { Owner } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RelatedTasks } from "../run/related-tasks.js";
import { isUnknownOwner, isVisible, loadTask } from "./access.js";
import type { Access } from "./access.js";
import { findKeptReply } from "./kept-replies.js";
import { foldStored } from "./task-view.js";

/** Finds the tasks of an owner, for its calls and for the runs it started. */
export interface TaskLookup extends RelatedTasks {
  load(access: Access, id: string): Promise<Task | undefined>;
  /** The task that a message belongs to; for a direct reply, the completed task that stands for it. */
  loadByMessage(owner: Owner, messageId: string): Promise<Task | undefined>;
}

/**
 * Where callers authenticate, all anonymous callers share one owner. They reach a task by its id, which only the
 * caller that created it knows, and in no other way.
 */
export function createTaskLookup(environment: RunEnvironment, agent: string): TaskLookup {
  const { store, settings } = environment;
  const load = async (access: Access, id: string): Promise<Task | undefined> => {
    const stored = await loadTask(store, agent, access, id);
    return stored && foldStored(stored);
  };
  return {
    load,
    async loadByMessage(owner, messageId) {
      if (isUnknownOwner(owner, settings)) return undefined;
      const scope = { ...owner, agent };
      const taskId = await store.findByMessageId(scope, messageId);
      const stored = taskId === undefined ? undefined : await store.load(taskId);
      if (stored === undefined) return findKeptReply(environment, scope, messageId);
      return isVisible(stored.record, agent, { owner }) ? foldStored(stored) : undefined;
    },
    async referenced(owner, ids) {
      const tasks = await Promise.all(ids.map((id) => load({ owner }, id)));
      return tasks.flatMap((task) => (task === undefined ? [] : [task]));
    },
    async earlier(owner, contextId, limit) {
      if (isUnknownOwner(owner, settings)) return [];
      const { tasks } = await store.list({ owner, agent, contextId, limit });
      return tasks.map(foldStored);
    },
  };
}
