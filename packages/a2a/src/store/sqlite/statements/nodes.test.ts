import { expect, test } from "vitest";
import { createConnection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrations } from "../migrations.js";
import { listHeld } from "./nodes.js";

test("what a node holds is found without going through other tasks", async () => {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  for (const sql of migrations) db.exec(sql);
  const asked: string[] = [];
  const all: typeof db.all = (sql, ...values) => {
    asked.push(sql);
    return db.all(sql, ...values);
  };
  listHeld({ ...db, all }, { agent: "a", node: "n1" });
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked[0]}`, "a", "n1");
  const details = plan.map(({ detail }) => detail).join("\n");
  expect(details).toContain("SEARCH tasks USING INDEX tasks_by_node (agent=? AND node=?)");
  db.close();
});
