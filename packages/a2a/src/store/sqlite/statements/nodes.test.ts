import { expect, test } from "vitest";
import { createConnection } from "../connection.js";
import type { Connection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrations } from "../migrations.js";
import { findAbandoned, listHeld } from "./nodes.js";

/** How SQLite goes about the statement that the work asks first. */
async function planOf(work: (db: Connection) => unknown): Promise<string> {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  for (const sql of migrations) db.exec(sql);
  const plans: string[] = [];
  const all: typeof db.all = (sql, ...values) => {
    const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
    plans.push(plan.map(({ detail }) => detail).join("\n"));
    return db.all(sql, ...values);
  };
  work({ ...db, all });
  db.close();
  return plans[0] ?? "";
}

const found = "SEARCH tasks USING INDEX tasks_by_node (agent=? AND node=?)";

test("what a node holds is found without going through other tasks", async () => {
  const plan = await planOf((db) => listHeld(db, { agent: "a", node: "n1" }));
  expect(plan).toContain(found);
});

test("abandoned tasks are found without going through those of live nodes", async () => {
  const request = { agent: "a", node: "n1", limit: 10 };
  const plan = await planOf((db) => findAbandoned(db, request, 1000));
  expect(plan).toContain("SEARCH tasks USING INDEX tasks_by_node (agent=? AND node>?)");
  expect(plan.split(found)).toHaveLength(3);
  expect(plan).not.toContain("SCAN tasks");
});
