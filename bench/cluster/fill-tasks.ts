import { connectRaw } from "./pg.js";
import { owner } from "../store-samples.js";

/** The numbers that the store gives these states. */
const states = { COMPLETED: 3, INPUT_REQUIRED: 6 } as const;

/** Writes tasks into the store's tables, which are there and empty. The later a task, the later its status. */
export async function fillTasks(
  url: string,
  count: number,
  state: keyof typeof states,
  agent: string,
): Promise<void> {
  await using database = await connectRaw(url);
  const event = JSON.stringify({
    kind: "status-changed",
    status: { state: `TASK_STATE_${state}` },
  });
  const number = states[state];
  await database.query(`
    INSERT INTO parley.scopes (tenant, subject, agent)
      VALUES ('${owner.tenant}', '${owner.subject}', '${agent}');
    INSERT INTO parley.tasks
      (task_id, scope, agent, context_id, created_in, state, status_at, sequence, epoch, bytes)
      SELECT 'task-' || lpad(n::text, 31, '0'), scope, agent, 'context-' || lpad(n::text, 28, '0'),
        '1.0', ${number}, n, 1, 1, 0
      FROM parley.scopes CROSS JOIN generate_series(1, ${count}) AS n;
    INSERT INTO parley.log (task, sequence, epoch, writer, at, events)
      SELECT task, 1, 1, 1, status_at, '${event}' FROM parley.tasks;
    INSERT INTO parley.counters (scope, state, shard, tasks, bytes)
      SELECT scope, ${number}, 0, ${count}, 0 FROM parley.scopes;
    ANALYZE parley.tasks, parley.log, parley.counters, parley.scopes`);
}

/** The task at a place of the list, counted from 1. */
export function placeOf(count: number, place: number): { statusAt: number; taskId: string } {
  const statusAt = count - place + 1;
  return { statusAt, taskId: `task-${`${statusAt}`.padStart(31, "0")}` };
}
