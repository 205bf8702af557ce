import { isTerminal } from "../../protocol/internal.js";
import type { Task } from "../../protocol/internal.js";
import type { TaskRecord } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";
import { isVisible } from "./access.js";
import type { Access } from "./access.js";

/** How long a task is kept: another process may have deleted it since. */
const keptMs = 1000;

/** How large a task is at most, and how large all of them are. */
const maxTaskBytes = 16 * 1024;
const maxBytes = 4 * 1024 * 1024;

/** What a task takes up besides its content, roughly. */
const taskBytes = 1024;

interface Kept {
  readonly record: TaskRecord;
  readonly task: Task;
  readonly until: number;
}

/**
 * Small tasks that have ended and were read a moment ago, so that many who read them at the same time do not wait for
 * the store. Nothing is added to them any more; they are not kept beyond the time at which they are deleted.
 */
export class EndedTasks {
  readonly #environment: Pick<RunEnvironment, "clock" | "settings">;
  /** By their ids, the oldest first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(environment: Pick<RunEnvironment, "clock" | "settings">) {
    this.#environment = environment;
  }

  /** A task that the caller can reach at an agent, if it is kept. */
  find(agent: string, access: Access, id: string): Task | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined || !isVisible(kept.record, agent, access)) return undefined;
    return this.#environment.clock.now() < kept.until ? kept.task : undefined;
  }

  /** Keeps a task that was read, if it has ended and is small. */
  keep(record: TaskRecord, task: Task): void {
    const { taskId, bytes, state, statusAt } = record;
    // An id that its owner chose is another task for another owner.
    if (!isTerminal(state) || bytes > maxTaskBytes || task.id !== taskId) return;
    const { clock, settings } = this.#environment;
    const deletedAt = statusAt + (settings.retentionMs ?? Infinity);
    this.#drop(taskId);
    this.#kept.set(taskId, { record, task, until: Math.min(clock.now() + keptMs, deletedAt) });
    this.#bytes += taskBytes + bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= maxBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(taskId: string): void {
    const kept = this.#kept.get(taskId);
    if (kept === undefined) return;
    this.#kept.delete(taskId);
    this.#bytes -= taskBytes + kept.record.bytes;
  }
}
