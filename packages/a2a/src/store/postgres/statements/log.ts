import type { Tables } from "../tables.js";

/** A tail that may be cut is looked at only so far. */
const maxRows = 1024;

/**
 * The rows of a log joined, as `places` and `events`: those of the task `task` after the sequence `after`. `more` is a further
 * condition on rows `l`.
 */
export function joinRows({ log }: Tables, task: string, after: string, more: string = ""): string {
  return `SELECT string_agg(l.sequence || ':' || l.at, ',' ORDER BY l.sequence) AS places,
      string_agg(l.events, ',' ORDER BY l.sequence) AS events
    FROM ${log} l WHERE l.task = ${task} AND l.sequence > ${after}${more}`;
}

/**
 * The last sequence that fits a size, and the size up to there, as `last` and `bytes`: of the first rows after `after`, but
 * of one at least. Reads no text, only its length.
 */
export function fitRows({ log }: Tables, task: string, after: string, maxBytes: string): string {
  return `SELECT max(f.sequence) AS last, max(f.total) AS bytes FROM (
      SELECT x.sequence, sum(x.size) OVER (ORDER BY x.sequence) AS total,
        row_number() OVER (ORDER BY x.sequence) AS place
      FROM (SELECT sequence, octet_length(events) AS size FROM ${log}
        WHERE task = ${task} AND sequence > ${after} ORDER BY sequence LIMIT ${maxRows}) x) f
    WHERE f.place = 1 OR f.total <= ${maxBytes}`;
}
