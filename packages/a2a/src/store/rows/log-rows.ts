import type { LogEvent } from "../log-event.js";

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
