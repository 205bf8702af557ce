import { delay, foregroundClock } from "../../../async/internal.js";
import type { Append, Appended } from "../../append.js";
import type { Place } from "../place.js";
import { write } from "../work.js";

/**
 * Finds out what became of an append at the end whose connection was lost. Waits until the server would refuse it for its
 * deadline, then touches the task's row, so that a statement that looked at the row before that looks again. What is not
 * in the log then never will be. Resolves with `undefined` when it is not.
 */
export async function settleAtEnd(
  place: Place,
  { taskId, events }: Append,
  doubt: { readonly writer: number; readonly deadline: number },
): Promise<Appended | undefined> {
  const { database, tables, clock } = place;
  for (;;) {
    const [row] = await database.read<{ now: number }>({ text: `SELECT ${tables.now} AS now` });
    const now = row?.now ?? 0;
    clock.observe(now);
    if (now >= doubt.deadline) break;
    await delay(foregroundClock, Math.min(doubt.deadline - now, 1000));
  }
  return write(place, async ({ session }) => {
    await session.query({
      text: `UPDATE ${tables.tasks} SET sequence = sequence WHERE task_id = $1`,
      values: [taskId],
    });
    const [row] = await session.query<{ sequence: number; epoch: number; at: number }>({
      text: `SELECT l.sequence, l.epoch, l.at FROM ${tables.tasks} t JOIN ${tables.log} l USING (task)
        WHERE task_id = $1 AND l.writer = $2::bigint ORDER BY l.sequence DESC LIMIT 1`,
      values: [taskId, doubt.writer],
    });
    return row && events.length > 0 ? { ...row, queued: 0 } : undefined;
  });
}
