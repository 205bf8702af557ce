import type { Connection } from "../connection.js";

/** One more row of a log, which is all that a chunk of a stream costs. */
export function insertEvent(db: Connection, task: number, sequence: number, event: string): void {
  db.run("INSERT INTO log (task, sequence, event) VALUES (?, ?, ?)", task, sequence, event);
}

/** The events after a sequence. Logs have no holes, so their number says their sequences. */
export function selectEvents(
  db: Connection,
  { taskId, after, limit }: { taskId: string; after: number; limit: number },
): string[] {
  const rows = db.all<{ event: string }>(
    `SELECT event FROM tasks JOIN log USING (task)
     WHERE task_id = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
    taskId,
    after,
    limit,
  );
  return rows.map(({ event }) => event);
}

/** A part of a log: the events of a task after a sequence. */
export interface Tail {
  readonly task: number;
  readonly after: number;
}

/** The events of many logs at once, by task. */
export function selectTails(db: Connection, tails: readonly Tail[]): Map<number, string[]> {
  const rows = db.all<{ task: number; event: string }>(
    `SELECT task, event FROM json_each(?) AS tail CROSS JOIN log
       ON task = tail.value ->> 0 AND sequence > tail.value ->> 1
     ORDER BY task, sequence`,
    JSON.stringify(tails.map(({ task, after }) => [task, after])),
  );
  const events = new Map<number, string[]>();
  for (const { task, event } of rows) {
    const known = events.get(task);
    if (known === undefined) events.set(task, [event]);
    else known.push(event);
  }
  return events;
}

export function deleteLog(db: Connection, task: number): void {
  db.run("DELETE FROM log WHERE task = ?", task);
}
