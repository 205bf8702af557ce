import type { LogEntry } from "../../log-event.js";
import { toEntries } from "../log-text.js";
import type { TailText } from "../log-text.js";
import type { Place } from "../place.js";
import { isEach } from "../tables.js";
import { fitRows, joinRows } from "./log.js";

export interface LogRequest {
  readonly taskId: string;
  readonly after: number;
  readonly limit: number;
  readonly maxBytes: number | undefined;
}

/** Reads parts of many logs in one statement. Resolves with them in the order of the requests. */
export async function readLogs(
  place: Place,
  requests: readonly LogRequest[],
): Promise<readonly LogEntry[][]> {
  const isCut = requests.some(({ maxBytes }) => maxBytes !== undefined);
  const rows = await place.database.read<TailText & { readonly ord: number }>({
    name: isCut ? "read-cut" : "read",
    text: readText(place, isCut),
    values: [
      requests.map(({ taskId }) => taskId),
      requests.map(({ after }) => after),
      requests.map(({ after, limit }) => Math.min(after + limit, Number.MAX_SAFE_INTEGER)),
      ...(isCut ? [requests.map(({ maxBytes }) => maxBytes ?? null)] : []),
    ],
  });
  const tails = new Map(rows.map((row) => [row.ord, row]));
  return requests.map(({ after, limit }, index) => {
    const tail = tails.get(index + 1);
    return tail === undefined ? [] : toEntries(tail, after).slice(0, limit);
  });
}

/** Rows hold several events, so the last row to read is the one with the last event that is wanted. */
function readText({ tables }: Place, isCut: boolean): string {
  const last = `coalesce((SELECT e.sequence FROM ${tables.log} e WHERE e.task = t.task AND e.sequence >= r.upto
    ORDER BY e.sequence LIMIT 1), t.sequence)`;
  const fitting = isCut
    ? `CROSS JOIN LATERAL (${fitRows(tables, "t.task", "r.after", "r.max_bytes")}) f`
    : "";
  const bound = isCut
    ? `CASE WHEN r.max_bytes IS NULL THEN ${last} ELSE least(${last}, f.last) END`
    : last;
  return `SELECT r.ord, l.places, l.events
    FROM unnest($1::text[], $2::bigint[], $3::bigint[]${isCut ? ", $4::bigint[]" : ""})
      WITH ORDINALITY AS r(task_id, after, upto${isCut ? ", max_bytes" : ""}, ord)
    JOIN ${tables.tasks} t ON ${isEach("t.task_id", "r.task_id")} AND t.sequence > r.after
    ${fitting}
    CROSS JOIN LATERAL (SELECT ${bound} AS last) b
    CROSS JOIN LATERAL (${joinRows(tables, "t.task", "r.after", " AND l.sequence <= b.last")}) l`;
}
