import type { Connection } from "../connection.js";
import type { SqliteValue } from "../driver.js";
import type { LogText } from "../operations.js";

/** SQLite joins rows up to this size: each value that leaves it costs more than so much text. It is slower with larger rows. */
const maxJoinedBytes = 1024;

/** Stands for a large row in the text that SQLite joins. JSON does not contain this character. */
const hole = "\u0001";

interface JoinedRow {
  readonly upto: number | null;
  readonly at: number | null;
  /** All rows, with holes for the large ones. */
  readonly events: string | null;
  /** The text of the only row, if it is large. */
  readonly only: string | null;
}

/**
 * Prepares to select rows of a log as one text, in the order of their sequences. `rows` is the statement from its FROM
 * on, with numbered parameters, and ends with its conditions. The caller reads in a transaction, so that both statements
 * see the same rows.
 */
export function rowJoiner(rows: string): (db: Connection, ...values: SqliteValue[]) => LogText {
  const isLarge = `octet_length(events) > ${maxJoinedBytes}`;
  const holeInSql = `char(${hole.codePointAt(0)})`;
  const joined = `SELECT upto, at, events, CASE WHEN events = ${holeInSql} THEN (SELECT events ${rows}) END AS only
    FROM (SELECT min(sequence) AS upto, at, group_concat(events, ',' || at || ',') AS events FROM (
      SELECT sequence, at, CASE WHEN ${isLarge} THEN ${holeInSql} ELSE events END AS events
      ${rows} ORDER BY sequence))`;
  const large = `SELECT events ${rows} AND ${isLarge} ORDER BY sequence`;
  return (db, ...values) => {
    const { upto, at, events, only } = db.get<JoinedRow>(joined, ...values) ?? {};
    const text = { upto: upto ?? 0, at: at ?? 0, events: only ?? events ?? "" };
    if (!text.events.includes(hole)) return text;
    return { ...text, events: fill(text.events, db.all<{ events: string }>(large, ...values)) };
  };
}

function fill(text: string, large: readonly { readonly events: string }[]): string {
  const [start = "", ...rest] = text.split(hole);
  let filled = start;
  for (const [index, piece] of rest.entries()) filled += `${large[index]?.events ?? ""}${piece}`;
  return filled;
}
