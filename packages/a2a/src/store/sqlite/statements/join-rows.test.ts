import { describe, expect, test } from "vitest";
import { createConnection } from "../connection.js";
import type { Connection } from "../connection.js";
import { loadDriver } from "../driver.js";
import { rowJoiner } from "./join-rows.js";

const joinAll = rowJoiner("FROM log WHERE task = ?1");

describe("rows of a log are joined to the same text, whatever their size", () => {
  const sizes = {
    "no rows": [],
    "a small row": [10],
    "a large row": [5000],
    "small rows": [10, 20, 30],
    "large rows": [5000, 6000, 7000],
    "a large row first": [5000, 10, 20],
    "a large row last": [10, 20, 5000],
    "large rows side by side between small ones": [10, 5000, 6000, 20, 7000, 30],
    "rows at the limit": [1022, 1023, 1024, 1025],
  };
  for (const [name, lengths] of Object.entries(sizes)) {
    for (const letter of ["x", "é", "$&", "\u0001"]) {
      test(`${name} of ${JSON.stringify(letter)}`, async () => {
        const rows = lengths.map((length, index) => ({
          sequence: 2 * (index + 1),
          at: 1000 + index,
          events: JSON.stringify(letter.repeat(length)),
        }));
        const db = await openLog();
        // The order of insertion must not matter.
        for (const row of rows.toReversed()) insert(db, row);
        expect(joinAll(db, 1)).toEqual({
          upto: rows[0]?.sequence ?? 0,
          at: rows[0]?.at ?? 0,
          events: rows.map(({ at, events }, n) => (n === 0 ? events : `${at},${events}`)).join(),
        });
        db.close();
      });
    }
  }
});

test("a second statement runs only where a large row is among others", async () => {
  const db = await openLog();
  let statements = 0;
  const all: Connection["all"] = (sql, ...values) => {
    statements += 1;
    return db.all(sql, ...values);
  };
  const join = (): number => {
    statements = 0;
    joinAll({ ...db, all }, 1);
    return statements;
  };
  insert(db, { sequence: 2, at: 1, events: JSON.stringify("x".repeat(5000)) });
  expect(join()).toBe(0);
  insert(db, { sequence: 1, at: 1, events: "{}" });
  expect(join()).toBe(1);
  db.close();
});

interface Row {
  readonly sequence: number;
  readonly at: number;
  readonly events: string;
}

async function openLog(): Promise<Connection> {
  const Database = await loadDriver("libsql");
  const db = createConnection(new Database(":memory:"));
  db.exec("CREATE TABLE log (task INTEGER, sequence INTEGER, at INTEGER, events TEXT) STRICT");
  return db;
}

function insert(db: Connection, { sequence, at, events }: Row): void {
  db.run("INSERT INTO log VALUES (1, ?, ?, ?)", sequence, at, events);
}
