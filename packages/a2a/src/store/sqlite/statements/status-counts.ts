import type { Connection } from "../connection.js";
import { selectDataVersion } from "./data-version.js";

/** How many tasks a segment has: so many are counted at most, to know how many came after a time. */
const segmentTasks = 1024;

/** Of how many scopes and states segments are kept. */
const maxLists = 512;

/** Tasks whose status is of a time or later, up to the segment before. */
interface Segment {
  readonly since: number;
  tasks: number;
}

/** The tasks of a scope in a state. */
interface Segments {
  /** From the latest to the earliest; nothing is known yet of what is before the last one. */
  readonly segments: Segment[];
  /** No task has a later status. */
  latest: number;
}

/**
 * Knows how many tasks of a scope have been in a state since a time, without counting all of them each time: it counts
 * them once in segments, and follows what this connection writes. It starts over when another connection has written.
 */
export class StatusCounts {
  readonly #lists = new Map<string, Segments>();
  #dataVersion: number | undefined;

  /** A task has come to a state at a time, or one that came at a time has left it. */
  change(scope: number, state: number, at: number, by: 1 | -1): void {
    const list = this.#lists.get(`${scope} ${state}`);
    if (list === undefined) return;
    const { segments } = list;
    const segment = segments.find(({ since }) => since <= at);
    if (segment !== undefined && by === 1 && at > list.latest && segment.tasks >= segmentTasks) {
      segments.unshift({ since: at, tasks: 1 });
    } else if (segment !== undefined) segment.tasks += by;
    list.latest = Math.max(list.latest, at);
  }

  /** Forgets everything: what was written is not in the database. */
  clear(): void {
    this.#lists.clear();
  }

  /** How many tasks of a scope have been in a state since a time. Within a transaction that has written nothing. */
  count(db: Connection, place: Place, since: number): number {
    const dataVersion = selectDataVersion(db);
    if (dataVersion !== this.#dataVersion) this.clear();
    this.#dataVersion = dataVersion;
    const { segments } = this.#list(db, place);
    while ((segments.at(-1)?.since ?? Infinity) > since)
      segments.push(nextSegment(db, place, segments));
    let tasks = 0;
    let before = Infinity;
    for (const segment of segments) {
      if (segment.since < since) {
        return tasks + (segment.tasks === 0 ? 0 : countBetween(db, place, since, before));
      }
      tasks += segment.tasks;
      before = segment.since;
    }
    return tasks;
  }

  #list(db: Connection, place: Place): Segments {
    const key = `${place.scope} ${place.state}`;
    const known = this.#lists.get(key);
    // Those that are asked for are the last to be dropped.
    this.#lists.delete(key);
    const list = known ?? { segments: [], latest: findLatest(db, place) };
    this.#lists.set(key, list);
    for (const [oldest] of this.#lists) {
      if (this.#lists.size <= maxLists) break;
      this.#lists.delete(oldest);
    }
    return list;
  }
}

interface Place {
  readonly scope: number;
  readonly state: number;
}

function findLatest(db: Connection, { scope, state }: Place): number {
  const sql = "SELECT max(status_at) AS latest FROM tasks WHERE scope = ? AND state = ?";
  return db.get<{ latest: number | null }>(sql, scope, state)?.latest ?? -Infinity;
}

/** The segment before some others: the next tasks, and those with the same time as the last of them. */
function nextSegment(db: Connection, place: Place, others: readonly Segment[]): Segment {
  const before = others.at(-1)?.since ?? Infinity;
  const { scope, state } = place;
  const row = db.get<{ since: number }>(
    `SELECT status_at AS since FROM tasks WHERE scope = ? AND state = ? AND status_at < ?
     ORDER BY status_at DESC LIMIT 1 OFFSET ${segmentTasks - 1}`,
    scope,
    state,
    before,
  );
  const since = row?.since ?? -Infinity;
  return { since, tasks: countBetween(db, place, since, before) };
}

function countBetween(
  db: Connection,
  { scope, state }: Place,
  since: number,
  before: number,
): number {
  const row = db.get<{ tasks: number }>(
    `SELECT count(*) AS tasks FROM tasks
     WHERE scope = ? AND state = ? AND status_at >= ? AND status_at < ?`,
    scope,
    state,
    since,
    before,
  );
  return row?.tasks ?? 0;
}
