import Database from "libsql";

/** Opens a database file with SQLite itself, past the store. It is closed when it goes out of scope. */
export function openRaw(path: string) {
  const database = new Database(path);
  return {
    exec: (sql: string): void => void database.exec(sql),
    all: (sql: string): Record<string, unknown>[] =>
      database.prepare(sql).all() as Record<string, unknown>[],
    [Symbol.dispose](): void {
      database.close();
    },
  };
}
