import fc from "fast-check";
import { expect, test } from "vitest";
import { createConnection } from "../connection.js";
import type { Connection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrations } from "../migrations.js";
import { StatusCounts } from "./status-counts.js";

const place = { scope: 1, state: 3 };

/** A database with so many tasks of one scope in one state: three at each time. */
async function openFilled(tasks: number): Promise<Connection> {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  for (const sql of migrations) db.exec(sql);
  db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${tasks - 1})
    INSERT INTO tasks (task_id, scope, agent, context_id, created_in, state, status_at, epoch)
    SELECT 't' || n, 1, 'a', 'c', '1.0', 3, n / 3, 1 FROM numbers`);
  return db;
}

function countAll(db: Connection, since: number): number {
  const sql =
    "SELECT count(*) AS tasks FROM tasks WHERE scope = 1 AND state = 3 AND status_at >= ?";
  return db.get<{ tasks: number }>(sql, since)?.tasks ?? 0;
}

type Change = { readonly add: number } | { readonly remove: number } | { readonly ask: number };

test("counts what has changed since, whatever is written and asked in between", async () => {
  const time = fc.oneof(fc.integer({ min: -10, max: 2500 }), fc.integer({ min: 1990, max: 2010 }));
  const change: fc.Arbitrary<Change> = fc.oneof(
    fc.record({ add: time }),
    fc.record({ remove: fc.nat(6000) }),
    fc.record({ ask: time }),
  );
  const db = await openFilled(6000);
  let added = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      db.exec("SAVEPOINT before");
      const counts = new StatusCounts();
      for (const one of changes) {
        if ("add" in one) {
          added += 1;
          db.run(
            `INSERT INTO tasks (task_id, scope, agent, context_id, created_in, state, status_at, epoch)
             VALUES (?, 1, 'a', 'c', '1.0', 3, ?, 1)`,
            `added ${added}`,
            one.add,
          );
          counts.change(place.scope, place.state, one.add, 1);
        } else if ("remove" in one) {
          const id = `t${one.remove}`;
          const { changes: removed } = db.run("DELETE FROM tasks WHERE task_id = ?", id);
          const at = Math.floor(one.remove / 3);
          if (removed > 0) counts.change(place.scope, place.state, at, -1);
        } else expect(counts.count(db, place, one.ask)).toBe(countAll(db, one.ask));
      }
      for (const since of [-1, 0, 700, 1999, 2000, 2001]) {
        expect(counts.count(db, place, since)).toBe(countAll(db, since));
      }
      db.exec("ROLLBACK TO before");
      db.exec("RELEASE before");
    }),
    { numRuns: 60 },
  );
  db.close();
});

test("goes through few tasks once it knows them, and through few of those that come at the end", async () => {
  const db = await openFilled(20_000);
  const counts = new StatusCounts();
  expect(counts.count(db, place, 0)).toBe(20_000);
  db.exec("BEGIN");
  for (let at = 7000; at < 12_000; at += 1) {
    db.run(
      `INSERT INTO tasks (task_id, scope, agent, context_id, created_in, state, status_at, epoch)
       VALUES (?, 1, 'a', 'c', '1.0', 3, ?, 1)`,
      `new ${at}`,
      at,
    );
    counts.change(place.scope, place.state, at, 1);
  }
  db.exec("COMMIT");
  let counted = 0;
  const get: typeof db.get = (sql, ...values) => {
    const row = db.get<{ tasks?: number }>(sql, ...values);
    counted = Math.max(counted, row?.tasks ?? 0);
    return row as never;
  };
  for (const since of [0, 1, 1000, 6665, 7000, 7001, 9000, 11_000, 11_999, 20_000]) {
    expect(counts.count({ ...db, get }, place, since)).toBe(countAll(db, since));
  }
  expect(counted).toBeLessThan(1100);
  db.close();
});
