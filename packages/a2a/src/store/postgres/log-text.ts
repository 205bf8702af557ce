import type { LogEntry, LogEvent } from "../log-event.js";
import { pushRankOf } from "../push-detail.js";

/** The least rank of some events: a task whose listeners want less has nobody to notify of them. */
export function leastRankOf(events: readonly LogEvent[]): number {
  let least = Infinity;
  for (const event of events) least = Math.min(least, pushRankOf(event));
  return least;
}

/** Consecutive rows of a log, each part joined by commas: `sequence:at` of each row, and the events of all of them. */
export interface TailText {
  readonly places: string | null;
  readonly events: string | null;
}

/** The entries of some rows after a sequence. Rows are read whole, so the first may begin before it. */
export function toEntries({ places, events }: TailText, after: number): LogEntry[] {
  if (places === null || events === null) return [];
  const parsed = JSON.parse(`[${events}]`) as LogEvent[];
  const rows = places.split(",").map((place) => place.split(":").map(Number) as [number, number]);
  const last = rows.at(-1)?.[0] ?? 0;
  const entries: LogEntry[] = [];
  let sequence = last - parsed.length;
  let row = 0;
  for (const event of parsed) {
    sequence += 1;
    while ((rows[row]?.[0] ?? last) < sequence) row += 1;
    if (sequence > after) entries.push({ sequence, at: rows[row]?.[1] ?? 0, event });
  }
  return entries;
}
