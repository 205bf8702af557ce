import type { LogEntry, LogEvent } from "../log-event.js";
import { pushRankOf } from "../push-detail.js";

/** Consecutive events as one row of the log: JSON, separated by commas. */
export interface LogRow {
  readonly count: number;
  readonly events: string;
}

/** Rows are read whole, so a row ends after roughly this many characters. */
const rowCharacters = 16_384;

/** The events of an append in as few rows as possible. */
export function rowsOf(events: readonly LogEvent[]): LogRow[] {
  const rows: LogRow[] = [];
  let text = "";
  let count = 0;
  for (const event of events) {
    text += count === 0 ? JSON.stringify(event) : `,${JSON.stringify(event)}`;
    count += 1;
    if (text.length < rowCharacters) continue;
    rows.push({ count, events: text });
    text = "";
    count = 0;
  }
  if (count > 0) rows.push({ count, events: text });
  return rows;
}

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
