import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Query } from "../../src/postgres/internal.js";
import type { Append, LogEvent } from "../../src/store/internal.js";
import {
  appendStatement,
  chunkStatement,
} from "../../src/store/postgres/append/append-statement.js";
import { toAppendText } from "../../src/store/postgres/append/append-text.js";
import type { Placed } from "../../src/store/postgres/append/relations.js";
import { lockEnded } from "../../src/store/postgres/statements/delete-ended.js";
import { claimAbandonedStatement } from "../../src/store/postgres/statements/leases.js";
import { listStatement } from "../../src/store/postgres/statements/list-tasks.js";
import { claimStatement } from "../../src/store/postgres/statements/outbox.js";
import { tablesIn } from "../../src/store/postgres/tables.js";
import { migratePostgres } from "@parley/a2a/store/postgres";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";

/** Enough for the planner to prefer an index wherever there is one. */
const tasks = 30_000;

/** A step of a plan that was carried out. */
interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly Step[];
}

/** Tables with a row for each task. Small ones are read from end to end, which is faster. */
const large = new Set<string | undefined>(["tasks", "log", "checkpoints", "push_configs"]);

const place = tablesIn("plans");
const owner = { tenant: "", subject: "s7" };
const after = { statusAt: tasks / 2, taskId: "t" };
const page = { agent: "travel", limit: 50 };
const claim = {
  agent: "travel",
  node: "n",
  now: tasks,
  until: tasks,
  limit: 16,
  ahead: 8,
  perHost: 4,
  taken: new Map([["host-1", 4]]),
};

const events: readonly LogEvent[] = [{ kind: "cancel-requested" }];
const chunks = placeAll((taskId) => ({ taskId, expectedSequence: 1, epoch: 1, events }));
const changes = placeAll((taskId) => ({
  taskId,
  expectedSequence: 1,
  epoch: 1,
  events,
  bytes: 20,
  node: null,
  status: { state: "TASK_STATE_COMPLETED", at: 1 },
  checkpoint: { id: taskId, contextId: "c", status: { state: "TASK_STATE_COMPLETED" } },
  messageIds: [taskId],
}));
const creations = placeAll((taskId) => ({
  taskId: `new-${taskId}`,
  expectedSequence: 0,
  epoch: 1,
  events,
  create: { owner, agent: "travel", contextId: "c", createdIn: "1.0" },
  status: { state: "TASK_STATE_WORKING", at: 1 },
}));
const commit = { writer: 1, shard: 0 };

const statements: Readonly<Record<string, Query>> = {
  "the first page of an owner": listStatement(place, { ...page, owner }),
  "a later page of an owner": listStatement(place, { ...page, owner, after }),
  "a page of an owner's working tasks": listStatement(place, {
    ...page,
    owner,
    after,
    state: "TASK_STATE_WORKING",
  }),
  "a page of limited bytes": listStatement(place, { ...page, owner, after, maxBytes: 100_000 }),
  "a page of a context": listStatement(place, { ...page, owner, contextId: "c77" }),
  "a page of all tasks of an agent": listStatement(place, { ...page, after }),
  "a claim of abandoned tasks": claimAbandonedStatement(place, {
    agent: "travel",
    node: "me",
    limit: 32,
  }),
  "a claim of the abandoned tasks of some callers": claimAbandonedStatement(place, {
    agent: "travel",
    node: "me",
    limit: 32,
    exceptSubjects: ["s1", "s2", "nobody"],
    onlyReleased: true,
  }),
  "a claim of due queues": claimStatement(place, claim),
  "a search for tasks that ended": lockEnded(place, tasks / 2, 500),
  "a batch of chunks": chunkStatement(place, chunks, commit),
  "a batch of chunks, some of which are refused": appendStatement(place, chunks, commit),
  "a batch of changes": appendStatement(place, changes, commit),
  "a batch of new tasks": appendStatement(place, creations, commit),
};

const program = findPostgres();

describe.runIf(program.isThere)(`plans ${program.name}`, () => {
  let postgres: TestPostgres;
  let client: pg.Client;

  beforeAll(async () => {
    postgres = await startPostgres({ settings: { fsync: "off" } });
    await migratePostgres({ url: postgres.url, schema: "plans" });
    client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(`
      INSERT INTO plans.scopes (tenant, subject, agent)
        SELECT '', 's' || i, 'travel' FROM generate_series(1, 100) i;
      INSERT INTO plans.tasks (task_id, scope, agent, context_id, created_in, state, status_at, sequence, epoch, node, bytes)
        SELECT 't' || i, 1 + i % 100, 'travel', 'c' || i % 1000, '1.0', 1 + i % 8, i, 1, 1,
          CASE WHEN i % 7 > 0 THEN 'n' || i % 20 END, 10
        FROM generate_series(1, ${tasks}) i;
      INSERT INTO plans.counters (scope, state, shard, tasks, bytes)
        SELECT scope, state, 0, count(*), sum(bytes) FROM plans.tasks GROUP BY scope, state;
      INSERT INTO plans.log (task, sequence, epoch, writer, at, events)
        SELECT task, 1, 1, 1, 1, '{}' FROM plans.tasks;
      INSERT INTO plans.checkpoints (task, sequence, body) SELECT task, 1, '{}' FROM plans.tasks;
      INSERT INTO plans.push_configs (task, config_id, agent, host, due_at, dialect, detail, body, bytes)
        SELECT task, 'c', agent, 'host-' || task % 50, CASE WHEN task % 2 = 0 THEN status_at END, '1.0', 2, '{}', 2
        FROM plans.tasks;
      INSERT INTO plans.nodes (node, slot, until, agent, revision, version)
        SELECT 'n' || i, i, CASE WHEN i % 2 = 0 THEN 9e15::bigint ELSE 0 END, 'travel', '', ''
        FROM generate_series(0, 19) i;
      ANALYZE`);
  });
  afterAll(async () => {
    await client.end();
    await postgres.stop();
  });

  test("a new schema is the one that is written down", async () => {
    await expect(await describeSchema(client)).toMatchFileSnapshot(
      "../../src/store/postgres/schema.sql",
    );
  });

  // Otherwise batches of two nodes may wait for each other in a circle.
  test("a batch looks up its tasks one by one, even where there are few tasks", async () => {
    await migratePostgres({ url: postgres.url, schema: "few" });
    await client.query(
      "INSERT INTO few.tasks OVERRIDING SYSTEM VALUE SELECT * FROM plans.tasks LIMIT 1000",
    );
    const few = tablesIn("few");
    for (const { text, values = [] } of [
      chunkStatement(few, chunks, commit),
      appendStatement(few, changes, commit),
    ]) {
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, [...values]);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).not.toContain("Seq Scan on tasks");
      expect(plan).toContain("Index Cond: (task_id = ");
    }
  });

  test("a chunk changes the row of its task in place, and no index", async () => {
    // Every eighth task is submitted, and a page has room for those of it that change.
    const apart = placeAll((taskId) => ({
      taskId: `t${8 * Number(taskId.slice(1))}`,
      expectedSequence: 1,
      epoch: 1,
      events,
    }));
    const { text, values = [] } = chunkStatement(place, apart, commit);
    await client.query("BEGIN");
    await client.query(text, [...values]);
    const { rows } = await client.query(`SELECT n_tup_upd AS changed, n_tup_hot_upd AS "inPlace"
      FROM pg_stat_xact_user_tables WHERE schemaname = 'plans' AND relname = 'tasks'`);
    await client.query("ROLLBACK");
    expect(rows).toEqual([{ changed: "64", inPlace: "64" }]);
  });

  // The store asks for plans that fit any values. Through a pooler they are made for the values at hand.
  test.for(["force_custom_plan", "force_generic_plan"])(
    "no statement reads or sorts a whole table (%s)",
    async (mode) => {
      await client.query(`SET plan_cache_mode = ${mode}`);
      for (const [name, { text, values = [] }] of Object.entries(statements)) {
        await client.query(`PREPARE p AS ${text}; BEGIN`);
        const given = values.length > 0 ? `(${values.map(spell).join(", ")})` : "";
        const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Step }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE p${given}`,
        );
        await client.query("ROLLBACK; DEALLOCATE p");
        const steps = rows.flatMap((row) => row["QUERY PLAN"].flatMap(({ Plan }) => flatten(Plan)));
        const scans = steps.flatMap((step) =>
          step["Node Type"] === "Seq Scan" ? [step["Relation Name"]] : [],
        );
        expect(
          scans.filter((table) => large.has(table)),
          `what ${name} reads from end to end`,
        ).toEqual([]);
        const handled = steps.map((step) => step["Actual Rows"] * step["Actual Loops"]);
        // A context has 30 tasks, a page 50 of each of 9 states, a batch 500.
        expect(Math.max(...handled), `the rows that a step of ${name} handles`).toBeLessThan(1000);
      }
    },
  );
});

/** The functions, tables and indexes of the schema, as the server describes them. */
async function describeSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT statement FROM (
      SELECT 0 AS kind, p.oid, regexp_replace(pg_get_functiondef(p.oid), E'\\n$', '') AS statement
      FROM pg_proc p WHERE pronamespace = 'plans'::regnamespace
      UNION ALL
      SELECT 1, c.oid, 'CREATE TABLE ' || c.oid::regclass || E' (\n  ' || string_agg(
          a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
          || CASE WHEN a.attcollation = '"C"'::regcollation THEN ' COLLATE "C"' ELSE '' END
          || CASE WHEN a.attidentity = 'a' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END
          || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
          || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END, E',\n  ' ORDER BY a.attnum) || E'\n)'
          || coalesce(' WITH (' || array_to_string(c.reloptions, ', ') || ')', '')
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE c.relnamespace = 'plans'::regnamespace AND c.relkind = 'r' GROUP BY c.oid, c.relname, c.reloptions
      UNION ALL
      SELECT 1, i.indexrelid, pg_get_indexdef(i.indexrelid)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'plans'::regnamespace) x
    ORDER BY kind, oid`);
  return `${rows.map(({ statement }) => statement.replaceAll("plans.", "parley.")).join(";\n\n")};\n`;
}

function flatten(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(flatten)];
}

/** A batch of appends to 64 tasks, by ascending ids. */
function placeAll(appendTo: (taskId: string) => Append): Placed[] {
  return Array.from({ length: 64 }, (_, index) => ({
    ...toAppendText(appendTo(`t${1000 + index}`), 1),
    ord: index + 1,
    deadline: undefined,
  }));
}

/** A value in SQL. In an array texts are spelled as in JSON. */
function spell(value: unknown): string {
  if (Array.isArray(value)) return `'{${value.map((one) => JSON.stringify(one)).join(",")}}'`;
  return typeof value === "string" ? `'${value}'` : String(value);
}
