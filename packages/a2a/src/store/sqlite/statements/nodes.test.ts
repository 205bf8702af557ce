import { expect, test } from "vitest";
import { createConnection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrations } from "../migrations.js";
import { selectHeld } from "./nodes.js";

test("a page of what a node holds is found without going through other tasks, or sorting", async () => {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  for (const sql of migrations) db.exec(sql);
  const asked: string[] = [];
  const all: typeof db.all = (sql, ...values) => {
    asked.push(sql);
    return db.all(sql, ...values);
  };
  selectHeld({ ...db, all }, { node: "n1", limit: 5, after: "t" });
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked[0]}`, "n1", "t", 5);
  const details = plan.map(({ detail }) => detail).join("\n");
  expect(details).toContain("SEARCH tasks USING INDEX tasks_held (node=? AND task_id>?)");
  expect(details).not.toContain("TEMP B-TREE");
  db.close();
});
