import type { Task } from "../../protocol/internal.js";
import type { Owner, StoredTask } from "../../store/internal.js";
import { foldStored, largeBytes } from "../log/fold-stored.js";
import type { RunEnvironment } from "../run-environment.js";
import type { RelatedTasks } from "../run/related-tasks.js";
import { isUnknownOwner, isVisible, loadTask } from "./access.js";
import type { Access } from "./access.js";
import { findKeptReply } from "./kept-replies.js";
import type { StandIn } from "./kept-replies.js";

/** Finds the tasks of an owner, for its calls and for the runs it started. */
export interface TaskLookup extends RelatedTasks {
  /** A task by its id. The tail of a large one may be cut. */
  find(access: Access, id: string): Promise<StoredTask | undefined>;
  /** The task that a message belongs to. The tail of a large one may be cut. */
  findByMessage(owner: Owner, messageId: string): Promise<StoredTask | undefined>;
  /** The completed task that stands for a direct reply, by the id of the reply or of the message before it. */
  findReply(owner: Owner, messageId: string): Promise<StandIn | undefined>;
}

/**
 * Where callers authenticate, all anonymous callers share one owner. They reach a task by its id, which only the
 * caller that created it knows, and in no other way.
 */
export function createTaskLookup(environment: RunEnvironment, agent: string): TaskLookup {
  const { store, settings } = environment;
  const find = (access: Access, id: string): Promise<StoredTask | undefined> =>
    loadTask(store, agent, access, id);
  const fold = async (stored: StoredTask): Promise<Task> =>
    (await foldStored(environment, stored)).task();
  return {
    find,
    async findByMessage(owner, messageId) {
      if (isUnknownOwner(owner, settings)) return undefined;
      const taskId = await store.findByMessageId({ ...owner, agent }, messageId);
      const stored = taskId === undefined ? undefined : await store.load(taskId, largeBytes);
      return isVisible(stored?.record, agent, { owner }) ? stored : undefined;
    },
    async findReply(owner, messageId) {
      if (isUnknownOwner(owner, settings)) return undefined;
      return findKeptReply(environment, { ...owner, agent }, messageId);
    },
    async referenced(owner, ids) {
      const found = await Promise.all(ids.map((id) => find({ owner }, id)));
      return Promise.all(found.flatMap((stored) => (stored === undefined ? [] : [fold(stored)])));
    },
    async earlier(owner, contextId, limit) {
      if (isUnknownOwner(owner, settings)) return [];
      const { tasks } = await store.list({ owner, agent, contextId, limit });
      return Promise.all(tasks.map(fold));
    },
  };
}
