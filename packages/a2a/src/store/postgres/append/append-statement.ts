import type { Query } from "../../../postgres/internal.js";
import { changeCounters } from "../statements/counters.js";
import { ended, isEach } from "../tables.js";
import type { Tables } from "../tables.js";
import {
  changes,
  checkpoints,
  chunks,
  creations,
  heads,
  logRows,
  messages,
  spell,
  summaries,
  valuesOf,
} from "./relations.js";
import type { Placed, Relation } from "./relations.js";

/** What the statement of a batch says of an append, or, with `ord` 0, of the batch. */
export interface AppendRow {
  readonly ord: number;
  readonly ok: boolean;
  readonly sequence: number | null;
  readonly epoch: number | null;
  readonly state: number | null;
  readonly listeners: number | null;
  readonly at: number | null;
}

/** Names a commit and the counters it changes. */
export interface Commit {
  readonly writer: number;
  readonly shard: number;
}

/**
 * One statement for a whole batch, in which each task is at most once: locks the tasks in the order of their ids, so that
 * batches of several nodes never wait for each other in a circle; then writes what fits and says of the rest where it
 * stands. A row that changed while the statement waited for its lock is looked at anew.
 */
export function appendStatement(tables: Tables, batch: readonly Placed[], commit: Commit): Query {
  const known = batch.filter(({ append }) => append.create === undefined);
  const changing = known.some(
    ({ append }) =>
      append.status !== undefined || append.node !== undefined || append.bytes !== undefined,
  );
  const fresh = batch.filter(({ append }) => append.create !== undefined);
  const values: unknown[] = [commit.writer, commit.shard];
  let name = changing ? "append-changing" : "append";
  /** Only what has rows is in the statement. */
  const place = <Row>(part: string, relation: Relation<Row>, rows: readonly Row[]): Place => {
    if (rows.length === 0) return undefined;
    const spelled = spell(relation, "r", values.length + 1);
    values.push(...valuesOf(relation, rows));
    name += `-${part}`;
    return spelled;
  };
  const places = {
    known: place("known", changing ? changes : heads, known),
    fresh: place("fresh", creations, fresh),
    rows: place("rows", logRows, batch.flatMap(placeRows)),
    checkpoints: place(
      "checkpoints",
      checkpoints,
      batch.filter(({ checkpoint }) => checkpoint !== undefined),
    ),
    summaries: place(
      "summaries",
      summaries,
      batch.filter(({ summary }) => summary !== undefined),
    ),
    messages: place("messages", messages, batch.flatMap(placeMessages)),
  };
  return { name, text: appendText(tables, places, changing), values };
}

function placeRows({ ord, rows }: Placed): { ord: number; upto: number; events: string }[] {
  let upto = 0;
  return rows.map(({ count, events }) => ({ ord, upto: (upto += count), events }));
}

function placeMessages({ ord, append }: Placed): { ord: number; messageId: string }[] {
  return Array.from(new Set(append.messageIds), (messageId) => ({ ord, messageId }));
}

/** Rows in SQL, if there are any. */
type Place = string | undefined;

type Places = Readonly<
  Record<"known" | "fresh" | "rows" | "checkpoints" | "summaries" | "messages", Place>
>;

function appendText(tables: Tables, places: Places, changing: boolean): string {
  const { known, fresh } = places;
  const steps: string[] = [];
  const written: string[] = [];
  const counted: string[] = [];
  const answers = [
    "SELECT 0 AS ord, true AS ok, NULL::bigint AS sequence, NULL::bigint AS epoch, NULL::smallint AS state, NULL::smallint AS listeners, (SELECT at FROM s) AS at",
  ];
  if (known !== undefined) {
    steps.push(lockHeads(tables, known, changing), updateHeads(tables, changing));
    written.push("SELECT ord, task, scope, sequence, count, epoch FROM h WHERE ok");
    if (changing) {
      counted.push(
        "SELECT scope, state, -1 AS tasks, -bytes AS bytes FROM h WHERE ok",
        "SELECT scope, coalesce(new_state, state), 1, coalesce(new_bytes, bytes) FROM h WHERE ok",
      );
    }
    answers.push(
      "SELECT ord, ok, sequence, epoch, state, listeners, NULL FROM h WHERE NOT ok OR at_end",
      `SELECT ord, false, NULL, NULL, NULL, NULL, NULL FROM ${known} WHERE ord NOT IN (SELECT ord FROM h)`,
    );
  }
  if (fresh !== undefined) {
    steps.push(
      `n AS MATERIALIZED (SELECT * FROM ${fresh})`,
      createTasks(tables, known !== undefined),
    );
    written.push(
      "SELECT n.ord, c.task, n.scope, 0, n.count, n.epoch FROM c JOIN n USING (task_id)",
    );
    counted.push(
      "SELECT n.scope, n.state, 1 AS tasks, n.bytes AS bytes FROM c JOIN n USING (task_id)",
    );
    answers.push(
      "SELECT n.ord, false, NULL, NULL, NULL, NULL, NULL FROM n WHERE task_id NOT IN (SELECT task_id FROM c)",
    );
  }
  steps.push(
    `w(ord, task, scope, sequence, count, epoch) AS MATERIALIZED (${written.join(" UNION ALL ")})`,
    // After all locks, so that the times of a log never fall.
    `s AS MATERIALIZED (SELECT ${tables.now} AS at, $1::bigint AS writer, $2::smallint AS shard
      FROM (SELECT count(*) AS n FROM w) x WHERE n >= 0)`,
  );
  if (places.rows !== undefined) {
    steps.push(`l AS (INSERT INTO ${tables.log} (task, sequence, epoch, writer, at, events)
      SELECT w.task, w.sequence + r.upto, w.epoch, s.writer, s.at, r.events
      FROM ${places.rows} JOIN w USING (ord) CROSS JOIN s)`);
  }
  if (places.checkpoints !== undefined) {
    steps.push(`k AS (INSERT INTO ${tables.checkpoints} (task, sequence, body)
      SELECT w.task, w.sequence + w.count, r.body FROM ${places.checkpoints} JOIN w USING (ord)
      ON CONFLICT (task) DO UPDATE SET sequence = excluded.sequence, body = excluded.body)`);
  }
  if (places.summaries !== undefined) {
    steps.push(`y AS (INSERT INTO ${tables.summaries} (task, sequence, omits, body)
      SELECT w.task, w.sequence + w.count, r.omits, r.body FROM ${places.summaries} JOIN w USING (ord)
      ON CONFLICT (task) DO UPDATE
      SET sequence = excluded.sequence, omits = excluded.omits, body = excluded.body)`);
  }
  if (places.messages !== undefined) {
    steps.push(`m AS (INSERT INTO ${tables.message_ids} (scope, message_id, task)
      SELECT w.scope, r.message_id, w.task FROM ${places.messages} JOIN w USING (ord)
      ORDER BY 1, 2, r.ord ON CONFLICT DO NOTHING)`);
  }
  if (counted.length > 0)
    steps.push(`q AS (${changeCounters(tables, counted.join(" UNION ALL "))})`);
  return `WITH ${steps.join(",\n")}\n${answers.join(" UNION ALL ")}`;
}

function lockHeads(tables: Tables, known: string, changing: boolean): string {
  const news = changing
    ? ", r.node AS new_node, r.state AS new_state, r.status_at AS new_status_at, r.bytes AS new_bytes"
    : "";
  return `h AS MATERIALIZED (
    SELECT r.ord, t.task, t.sequence, t.epoch, t.state, t.listeners, t.scope, t.bytes, r.count,
      r.expected IS NULL AS at_end,
      t.state NOT IN ${ended}
      AND (r.expected IS NULL OR (t.sequence = r.expected AND t.epoch = r.epoch))
      AND (r.while_states IS NULL OR (r.while_states >> t.state) & 1 = 1)
      AND (r.deadline IS NULL OR ${tables.now} < r.deadline)
      AND t.listeners <= r.rank AS ok${news}
    FROM ${known} JOIN ${tables.tasks} t ON ${isEach("t.task_id", "r.task_id")}
    ORDER BY t.task_id FOR NO KEY UPDATE OF t)`;
}

function updateHeads(tables: Tables, changing: boolean): string {
  const news = changing
    ? `, bytes = coalesce(h.new_bytes, h.bytes),
      node = CASE WHEN h.new_node IS NULL THEN t.node ELSE nullif(h.new_node, '') END,
      state = coalesce(h.new_state, h.state), status_at = coalesce(h.new_status_at, t.status_at)`
    : "";
  return `u AS (UPDATE ${tables.tasks} t SET sequence = h.sequence + h.count${news}
    FROM h WHERE h.ok AND ${isEach("t.task", "h.task")})`;
}

/** Waits for all locks of tasks first, since another batch's creation may be in the way. */
function createTasks(tables: Tables, isAfterLocks: boolean): string {
  const wait = isAfterLocks ? "WHERE (SELECT count(*) FROM h) >= 0 " : "";
  return `c AS (INSERT INTO ${tables.tasks}
    (task_id, scope, agent, context_id, created_in, state, status_at, sequence, epoch, node, bytes)
    SELECT task_id, scope, agent, context_id, created_in, state, status_at, count, epoch, node, bytes
    FROM n ${wait}ORDER BY task_id ON CONFLICT (task_id) DO NOTHING RETURNING task, task_id)`;
}

/** What the statement for chunks says: when they were committed, and which, unless all were. */
export interface ChunkRow {
  readonly at: number;
  readonly applied: number;
  readonly ords: readonly number[] | null;
}

/**
 * The statement for batches that only add to logs: half the work of the other, since it locks and changes rows in one
 * step. It locks them in the order of the batch, which is that of their ids, as long as the planner goes through the
 * batch row by row. Where it does not, batches of two nodes may wait for each other in a circle, which PostgreSQL ends
 * with an error: then the other statement has to be used.
 */
export function chunkStatement(
  tables: Tables,
  batch: readonly Placed[],
  { writer }: Commit,
): Query {
  return {
    name: "append-chunks",
    text: `WITH u AS (
      UPDATE ${tables.tasks} t SET sequence = t.sequence + r.count FROM ${spell(chunks, "r", 2)}
      WHERE ${isEach("t.task_id", "r.task_id")} AND (t.sequence = r.expected AND t.epoch = r.epoch) IS TRUE
        AND t.state NOT IN ${ended} AND t.listeners <= r.rank
      RETURNING t.task, t.sequence, t.epoch, r.ord, r.events),
    s AS MATERIALIZED (SELECT ${tables.now} AS at, n FROM (SELECT count(*) AS n FROM u) x WHERE n >= 0),
    l AS (INSERT INTO ${tables.log} (task, sequence, epoch, writer, at, events)
      SELECT u.task, u.sequence, u.epoch, $1::bigint, s.at, u.events FROM u CROSS JOIN s)
    SELECT s.at, s.n AS applied,
      CASE WHEN s.n < cardinality($2::int[]) THEN (SELECT array_agg(ord) FROM u) END AS ords FROM s`,
    values: [writer, ...valuesOf(chunks, batch)],
  };
}
