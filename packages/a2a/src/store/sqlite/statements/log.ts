import type { Connection } from "../connection.js";
import type { LogText } from "../operations.js";
import { rowJoiner } from "./join-rows.js";
import { NewRows } from "./new-rows.js";

/**
 * New rows of the log: consecutive events of a task, under the sequence of the last of them. For a stream, such a row is
 * all that a commit writes.
 */
export function newLogRows(): NewRows {
  return new NewRows("log (task, sequence, events, at)");
}

export interface EventsRequest {
  readonly taskId: string;
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number;
}

const joinPage = rowJoiner(
  `FROM tasks JOIN log USING (task)
   WHERE task_id = ?1 AND sequence > ?2 AND sequence <= coalesce(
     (SELECT min(sequence) FROM log WHERE log.task = tasks.task AND sequence >= ?3),
     9223372036854775807)`,
);

/**
 * Selects the rows that contain `limit` events after a sequence, or as many of these rows as `maxBytes` admits. The
 * upper bound is computed first, so that the index is searched for a range and the rest of the log is not read.
 */
export function selectEvents(db: Connection, request: EventsRequest): LogText {
  const { taskId, after, maxBytes } = request;
  const limit = maxBytes === Infinity ? request.limit : countFitting(db, request);
  return joinPage(db, taskId, after, after + limit);
}

/** How many of the requested events are in rows that `maxBytes` admits; those of the first row in any case. */
function countFitting(db: Connection, { taskId, after, limit, maxBytes }: EventsRequest): number {
  const rows = db.all<SizeRow>(
    `SELECT sequence, octet_length(events) AS bytes FROM tasks JOIN log USING (task)
     WHERE task_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    taskId,
    after,
    limit,
  );
  const { last = after + limit } = fit(rows, maxBytes) ?? {};
  return Math.min(limit, last - after);
}

interface SizeRow {
  readonly sequence: number;
  readonly bytes: number;
}

/** The first rows up to a size, but at least one: the sequence of the last of them, and their size. */
function fit(
  rows: readonly SizeRow[],
  maxBytes: number,
): { readonly last: number; readonly bytes: number } | undefined {
  let fitting: { last: number; bytes: number } | undefined;
  for (const { sequence, bytes } of rows) {
    if (fitting !== undefined && fitting.bytes + bytes > maxBytes) break;
    fitting = { last: sequence, bytes: (fitting?.bytes ?? 0) + bytes };
  }
  return fitting;
}

/** A part of a log: the events of a task after a sequence, up to another. */
export interface Tail {
  readonly task: number;
  readonly after: number;
  readonly last: number;
}

/** A tail that is cut to a size. */
export interface FittingTail extends Tail {
  readonly bytes: number;
}

/** A tail that may be cut is looked at only so far. */
export const maxEntries = 1024;

/** Cuts the tail of a log to a size, but not before its first row. */
export function fitTail(db: Connection, tail: Tail, maxBytes: number): FittingTail {
  const { task, after, last } = tail;
  const rows = db.all<SizeRow>(
    `SELECT sequence, octet_length(events) AS bytes FROM log
     WHERE task = ? AND sequence > ? AND sequence <= ? ORDER BY sequence`,
    task,
    after,
    Math.min(last, after + maxEntries),
  );
  return { ...tail, ...(fit(rows, maxBytes) ?? { last: after, bytes: 0 }) };
}

const joinTail = rowJoiner("FROM log WHERE task = ?1 AND sequence > ?2 AND sequence <= ?3");

export function selectTail(db: Connection, { task, after, last }: Tail): LogText {
  return joinTail(db, task, after, last);
}

export function deleteLog(db: Connection, task: number): void {
  db.run("DELETE FROM log WHERE task = ?", task);
}
