import { createRequire } from "node:module";
import { taskStates } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";
import type { Append } from "@parley/a2a/store";
import { agent } from "./store-samples.js";

interface Statement {
  run(...values: (string | number | null)[]): { readonly lastInsertRowid: number };
  all(): unknown[];
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** The driver that the library depends on. */
const require = createRequire(import.meta.resolve("@parley/a2a/package.json"));
const Driver = require("libsql") as new (path: string) => Database;

export interface Reference extends Disposable {
  /** Writes the appends of many tasks step by step; one transaction holds one step of all tasks. */
  runWave(tasks: readonly (readonly Append[])[]): void;
}

/**
 * The reference that the store is measured against: it writes the same rows with the same driver, on the main
 * thread, without a queue, without checks, and with batches known beforehand.
 */
export function createReference(path: string): Reference {
  const database = new Driver(path);
  database.exec("PRAGMA synchronous = FULL");
  database.exec(`INSERT INTO scopes VALUES (1, 'acme', 'ada', '${agent}')`);
  const insertTask = database.prepare(
    `INSERT INTO tasks (task_id, scope, agent, context_id, created_in, state, status_at, epoch, node)
     VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateTask = database.prepare(
    "UPDATE tasks SET state = ?, status_at = ?, epoch = ?, node = ? WHERE task = ?",
  );
  const insertEvents = database.prepare(
    "INSERT INTO log (task, sequence, events, at) VALUES (?, ?, ?, ?)",
  );
  const insertMessage = database.prepare(
    "INSERT INTO message_ids (task, message_id) VALUES (?, ?)",
  );
  const insertCheckpoint = database.prepare("INSERT INTO checkpoints VALUES (?, ?, ?)");
  const keys = new Map<string, number>();

  function write(append: Append): void {
    const { taskId, create, status, epoch, node = null } = append;
    const state = status === undefined ? 0 : numberOf(status.state);
    if (create !== undefined && status !== undefined) {
      const { contextId, createdIn } = create;
      const row = [taskId, agent, contextId, createdIn, state, status.at, epoch, node];
      keys.set(taskId, insertTask.run(...row).lastInsertRowid);
    }
    const task = keys.get(taskId) ?? 0;
    if (create === undefined && status !== undefined) {
      updateTask.run(state, status.at, epoch, node, task);
    }
    const last = (append.expectedSequence ?? 0) + append.events.length;
    const events = append.events.map((event) => JSON.stringify(event)).join(",");
    insertEvents.run(task, last, events, Date.now());
    for (const messageId of append.messageIds ?? []) insertMessage.run(task, messageId);
    if (append.checkpoint !== undefined) {
      insertCheckpoint.run(task, last, JSON.stringify(append.checkpoint));
    }
  }

  return {
    runWave(tasks) {
      const steps = Math.max(...tasks.map((appends) => appends.length));
      for (let step = 0; step < steps; step += 1) {
        database.exec("BEGIN IMMEDIATE");
        for (const appends of tasks) {
          const append = appends[step];
          if (append !== undefined) write(append);
        }
        database.exec("COMMIT");
      }
      keys.clear();
    },
    [Symbol.dispose]: () => database.close(),
  };
}

function numberOf(state: TaskState): number {
  return taskStates.indexOf(state);
}
