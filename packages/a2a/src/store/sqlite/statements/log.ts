import type { Connection } from "../connection.js";
import type { LogText } from "../operations.js";

/**
 * Inserts consecutive events as one row, under the sequence of the last of them. For a stream, this row is all that
 * a commit writes.
 */
export function insertEvents(db: Connection, task: number, last: number, events: string): void {
  db.run("INSERT INTO log (task, sequence, events) VALUES (?, ?, ?)", task, last, events);
}

/**
 * Selects the rows that contain `limit` events after a sequence. The upper bound is computed first, so that the
 * index is searched for a range and the rest of the log is not read.
 */
export function selectEvents(
  db: Connection,
  { taskId, after, limit }: { taskId: string; after: number; limit: number },
): LogText {
  const rows = db.all<{ sequence: number; events: string }>(
    `SELECT sequence, events FROM tasks JOIN log USING (task)
     WHERE task_id = ? AND sequence > ? AND sequence <= coalesce(
       (SELECT min(sequence) FROM log WHERE log.task = tasks.task AND sequence >= ?),
       9223372036854775807)
     ORDER BY sequence`,
    taskId,
    after,
    after + limit,
  );
  const last = rows.at(-1)?.sequence ?? after;
  return { last, events: rows.map(({ events }) => events).join(",") };
}

/** A part of a log: the events of a task after a sequence. */
export interface Tail {
  readonly task: number;
  readonly after: number;
}

/** Selects the tails of many logs in one statement. Returns their events by task. */
export function selectTails(db: Connection, tails: readonly Tail[]): Map<number, string> {
  const rows = db.all<{ task: number; events: string }>(
    `SELECT task, events FROM json_each(?) AS tail CROSS JOIN log
       ON task = tail.value ->> 0 AND sequence > tail.value ->> 1
     ORDER BY task, sequence`,
    JSON.stringify(tails.map(({ task, after }) => [task, after])),
  );
  const tailOf = new Map<number, string>();
  for (const { task, events } of rows) {
    const known = tailOf.get(task);
    tailOf.set(task, known === undefined ? events : `${known},${events}`);
  }
  return tailOf;
}

export function deleteLog(db: Connection, task: number): void {
  db.run("DELETE FROM log WHERE task = ?", task);
}
