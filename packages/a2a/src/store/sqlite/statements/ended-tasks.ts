import type { Connection } from "../connection.js";

export interface EndedTask {
  readonly task: number;
  readonly scope: number;
  readonly state: number;
  readonly bytes: number;
  readonly statusAt: number;
}

/** Tasks that have been in one of the states since before a time. */
export function selectEnded(
  db: Connection,
  ended: { readonly states: readonly number[]; readonly before: number; readonly limit: number },
): EndedTask[] {
  return db.all(
    `SELECT task, scope, state, bytes, status_at AS statusAt FROM tasks
     WHERE agent IN (SELECT agent FROM scopes) AND state IN (${ended.states.join(", ")})
       AND status_at < ? LIMIT ?`,
    ended.before,
    ended.limit,
  );
}
