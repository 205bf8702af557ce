import type { Writable } from "../../../protocol/internal.js";
import type { Scope } from "../../task-record.js";
import { rollBack } from "../connection.js";
import type { Connection } from "../connection.js";
import { newCheckpoints } from "../statements/checkpoints.js";
import { changeCounter } from "../statements/counters.js";
import type { CounterChange } from "../statements/counters.js";
import { newLogRows } from "../statements/log.js";
import { newMessageIds } from "../statements/message-ids.js";
import type { NewRows } from "../statements/new-rows.js";
import type { Listener } from "../statements/push-configs.js";
import { findScope } from "../statements/scopes.js";
import { StatusCounts } from "../statements/status-counts.js";
import { selectHead, updateLease, updateStatus } from "../statements/tasks.js";
import type { TaskHead } from "../statements/tasks.js";

/** The head of a task, cached while transactions write to it. */
export interface OpenHead extends TaskHead {
  sequence: number;
  state: number;
  statusAt: number;
  epoch: number;
  node: string | null;
  bytes: number;
  /** Which changes are not in the task's row yet. */
  unsaved: "nothing" | "lease" | "status";
  /** The task's push configurations, once they have been read. */
  listeners: readonly Listener[] | undefined;
}

interface CountChange {
  readonly tasks: 1 | 0 | -1;
  readonly bytes: number;
  readonly at?: number;
}

/** How many heads are cached: more than are written at the same time. A head takes about 200 bytes. */
const maxHeads = 20_000;

/**
 * State that writes share. Within a transaction it collects new rows, which are inserted many at a time, and the changes
 * of rows that several writes touch, so that each row is written once. Across transactions it caches heads and scopes, as long as no other connection writes.
 */
export class WriteSession {
  readonly db: Connection;
  /** The store's time in this transaction. */
  now = 0;
  readonly log: NewRows = newLogRows();
  readonly checkpoints: NewRows = newCheckpoints();
  readonly messageIds: NewRows = newMessageIds();
  readonly #heads: Map<string, OpenHead> = new Map();
  readonly #unsaved: Set<OpenHead> = new Set();
  readonly #scopes: Map<string, number> = new Map();
  /** Changes of counters, by scope and state. */
  readonly #counts: Map<string, Writable<CounterChange>> = new Map();
  /** Follows the states of tasks. */
  readonly statusCounts: StatusCounts = new StatusCounts();
  readonly #newRows = [this.log, this.checkpoints, this.messageIds];
  #dataVersion: number | undefined;

  constructor(db: Connection) {
    this.db = db;
  }

  /**
   * Begins a transaction, and drops the caches if another connection has written. The time is read when the transaction
   * has the right to write, so that it never falls from one to the next, whatever process they are of.
   */
  begin(now?: number): void {
    this.db.exec("BEGIN IMMEDIATE");
    this.now = now ?? Date.now();
    const row = this.db.get<{ data_version: number }>("PRAGMA data_version");
    if (row?.data_version === this.#dataVersion) return;
    this.#forget();
    this.#dataVersion = row?.data_version;
  }

  /** Commits what has been flushed. */
  commit(): void {
    this.db.exec("COMMIT");
    for (const taskId of this.#heads.keys()) {
      if (this.#heads.size <= maxHeads) break;
      this.#heads.delete(taskId);
    }
  }

  /** Rolls back the transaction, if there still is one. */
  rollback(): void {
    this.#forget();
    rollBack(this.db);
  }

  /** Writes the collected changes, so that statements see them. */
  flush(): void {
    for (const rows of this.#newRows) rows.insert(this.db);
    for (const head of this.#unsaved) {
      if (head.unsaved === "status") updateStatus(this.db, head);
      else updateLease(this.db, head);
      head.unsaved = "nothing";
    }
    this.#unsaved.clear();
    for (const change of this.#counts.values()) {
      if (change.tasks !== 0 || change.bytes !== 0) changeCounter(this.db, change);
    }
    this.#counts.clear();
  }

  head(taskId: string): OpenHead | undefined {
    const known = this.#heads.get(taskId);
    if (known !== undefined) return known;
    const found = selectHead(this.db, taskId);
    return found && this.addHead(taskId, found);
  }

  addHead(taskId: string, found: TaskHead): OpenHead {
    const head: OpenHead = {
      task: found.task,
      scope: found.scope,
      state: found.state,
      statusAt: found.statusAt,
      epoch: found.epoch,
      node: found.node,
      bytes: found.bytes,
      sequence: found.sequence,
      unsaved: "nothing",
      listeners: undefined,
    };
    this.#heads.set(taskId, head);
    return head;
  }

  /** Marks a head as changed. */
  touch(head: OpenHead, what: "lease" | "status"): void {
    if (head.unsaved !== "status") head.unsaved = what;
    this.#unsaved.add(head);
  }

  /** Drops all cached heads and scopes, after rows were changed directly. */
  forgetRows(): void {
    this.flush();
    this.#heads.clear();
    this.#scopes.clear();
  }

  scope(scope: Scope): number | undefined {
    const key = scopeKey(scope);
    const known = this.#scopes.get(key);
    if (known !== undefined) return known;
    const found = findScope(this.db, scope);
    if (found !== undefined) this.#scopes.set(key, found);
    return found;
  }

  /** `at` is the time of the status of a task that comes or goes. */
  count(scope: number, state: number, by: CountChange): void {
    if (by.at !== undefined && by.tasks !== 0) {
      this.statusCounts.change(scope, state, by.at, by.tasks);
    }
    const key = `${scope} ${state}`;
    const change = this.#counts.get(key);
    if (change === undefined) {
      this.#counts.set(key, { scope, state, tasks: by.tasks, bytes: by.bytes });
      return;
    }
    change.tasks += by.tasks;
    change.bytes += by.bytes;
  }

  #forget(): void {
    for (const rows of this.#newRows) rows.clear();
    this.#heads.clear();
    this.#unsaved.clear();
    this.#scopes.clear();
    this.#counts.clear();
    this.statusCounts.clear();
    this.#dataVersion = undefined;
  }
}

function scopeKey({ tenant, subject, agent }: Scope): string {
  return JSON.stringify([tenant, subject, agent]);
}
