import type { SqliteDatabase, SqliteStatement, SqliteValue } from "./driver.js";

/** A connection to a database. It prepares every statement once and keeps it. */
export interface Connection {
  exec(sql: string): void;
  run(sql: string, ...values: SqliteValue[]): RunResult;
  /** The first row, if there is one. The caller declares the type of its rows. */
  get<Row>(sql: string, ...values: SqliteValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqliteValue[]): Row[];
  close(): void;
}

interface RunResult {
  readonly changes: number;
  readonly rowId: number;
}

export function createConnection(database: SqliteDatabase): Connection {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    let statement = statements.get(sql);
    if (statement === undefined) statements.set(sql, (statement = database.prepare(sql)));
    return statement;
  };
  return {
    exec(sql) {
      database.exec(sql);
    },
    run(sql, ...values) {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), rowId: Number(lastInsertRowid) };
    },
    get: <Row>(sql: string, ...values: SqliteValue[]) =>
      (prepare(sql).get(...values) ?? undefined) as Row | undefined,
    all: <Row>(sql: string, ...values: SqliteValue[]) => prepare(sql).all(...values) as Row[],
    close() {
      statements.clear();
      database.close();
    },
  };
}

/** Rolls back the transaction, if there still is one: some failures end it by themselves. */
export function rollBack(db: Connection): void {
  try {
    db.exec("ROLLBACK");
  } catch {
    // There is none any more.
  }
}
