import { expect, test } from "vitest";
import { createConnection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { migrations } from "../migrations.js";
import { selectEvents } from "./log.js";

test("a page of a log is found without going through the rest of it", async () => {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  for (const sql of migrations) db.exec(sql);
  const asked: string[] = [];
  const get: typeof db.get = (sql, ...values) => {
    asked.push(sql);
    return db.get(sql, ...values);
  };
  selectEvents({ ...db, get }, { taskId: "t", after: 10, limit: 5, maxBytes: Infinity });
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${asked[0]}`, "t", 10, 15);
  expect(plan.map(({ detail }) => detail).join("\n")).toMatch(
    /SEARCH log USING INDEX log_by_task \(task=\? AND sequence>\? AND sequence<\?\)/,
  );
  db.close();
});
