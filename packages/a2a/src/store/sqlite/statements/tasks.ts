import { toRecord } from "../../rows/record-row.js";
import type { RecordRow } from "../../rows/record-row.js";
import type { TaskRecord } from "../../task-record.js";
import type { Connection } from "../connection.js";

/** The last entry of a task's log. Not a column of the task, so that a chunk does not rewrite the task's row. */
export const lastSequence =
  "coalesce((SELECT max(sequence) FROM log WHERE log.task = tasks.task), 0)";

/** What an append has to know of a task. */
export interface TaskHead {
  readonly task: number;
  readonly scope: number;
  readonly state: number;
  readonly statusAt: number;
  readonly epoch: number;
  readonly node: string | null;
  readonly bytes: number;
  readonly sequence: number;
}

export function selectHead(db: Connection, taskId: string): TaskHead | undefined {
  return db.get<TaskHead>(
    `SELECT task, scope, state, status_at AS statusAt, epoch, node, bytes,
       ${lastSequence} AS sequence
     FROM tasks WHERE task_id = ?`,
    taskId,
  );
}

export interface NewTaskRow extends Omit<TaskHead, "task" | "sequence"> {
  readonly taskId: string;
  readonly agent: string;
  readonly contextId: string;
  readonly createdIn: string;
}

/** Returns the key of the new row; `undefined` when there already is a task with this id. */
export function insertTask(db: Connection, row: NewTaskRow): number | undefined {
  const { changes, rowId } = db.run(
    `INSERT INTO tasks (task_id, scope, agent, context_id, created_in, state, status_at, epoch, node, bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (task_id) DO NOTHING`,
    row.taskId,
    row.scope,
    row.agent,
    row.contextId,
    row.createdIn,
    row.state,
    row.statusAt,
    row.epoch,
    row.node,
    row.bytes,
  );
  return changes === 0 ? undefined : rowId;
}

export function updateStatus(db: Connection, head: TaskHead): void {
  db.run(
    "UPDATE tasks SET state = ?, status_at = ?, epoch = ?, node = ?, bytes = ? WHERE task = ?",
    head.state,
    head.statusAt,
    head.epoch,
    head.node,
    head.bytes,
    head.task,
  );
}

/** Writes no column of the larger indexes, so that those need not change. */
export function updateLease(db: Connection, { epoch, node, bytes, task }: TaskHead): void {
  const sql = "UPDATE tasks SET epoch = ?, node = ?, bytes = ? WHERE task = ?";
  db.run(sql, epoch, node, bytes, task);
}

export function deleteTask(db: Connection, task: number): void {
  db.run("DELETE FROM tasks WHERE task = ?", task);
}

/** A record, and the number of its task. */
export interface TaskRow extends RecordRow {
  readonly task: number;
}

/** The columns of a `TaskRow`, of `tasks` joined with `scopes`. */
export const recordColumns: string = `tasks.task, task_id, tenant, subject, tasks.agent, context_id,
  created_in, state, status_at, epoch, node, bytes, ${lastSequence} AS sequence`;

export function selectRecord(db: Connection, taskId: string): TaskRecord | undefined {
  const row = db.get<TaskRow>(
    `SELECT ${recordColumns} FROM tasks JOIN scopes USING (scope) WHERE task_id = ?`,
    taskId,
  );
  return row && toRecord(row);
}
