import type { Tables } from "../tables.js";

/** Adds to counters what a query selects as scope, state, tasks and bytes. `$2` is the shard. */
export function changeCounters(tables: Tables, changed: string): string {
  return `INSERT INTO ${tables.counters} AS q (scope, state, shard, tasks, bytes)
    SELECT scope, state, $2::smallint, sum(tasks), sum(bytes) FROM (${changed}) d
    GROUP BY scope, state HAVING sum(tasks) <> 0 OR sum(bytes) <> 0 ORDER BY scope, state DESC
    ON CONFLICT (scope, state, shard) DO UPDATE
    SET tasks = q.tasks + excluded.tasks, bytes = q.bytes + excluded.bytes`;
}
