/** libsql, except that it counts what is done to a file, and writes the sums beside it when it is closed. */
import { writeFileSync } from "node:fs";
import Database from "libsql";

export class DatabaseSync {
  #path;
  #database;
  #sums = { commits: 0, statements: 0, rows: 0, bytes: 0, values: 0 };

  constructor(path) {
    this.#path = path;
    this.#database = new Database(path);
  }

  exec(sql) {
    this.#sums.statements += 1;
    if (sql === "BEGIN IMMEDIATE") this.#sums.commits += 1;
    return this.#database.exec(sql);
  }

  prepare(sql) {
    const statement = this.#database.prepare(sql);
    const counted = () => {
      this.#sums.statements += 1;
      return statement;
    };
    return {
      get: (...values) => this.#taken([counted().get(...values)])[0],
      all: (...values) => this.#taken(counted().all(...values)),
      run: (...values) => {
        const result = counted().run(...values);
        this.#sums.rows += Number(result.changes);
        this.#sums.bytes += values.reduce((sum, value) => sum + sizeOf(value), 0);
        return result;
      },
    };
  }

  #taken(rows) {
    for (const row of rows) this.#sums.values += Object.keys(row ?? {}).length;
    return rows;
  }

  close() {
    writeFileSync(`${this.#path}.costs`, JSON.stringify(this.#sums));
    this.#database.close();
  }
}

function sizeOf(value) {
  return typeof value === "string" ? Buffer.byteLength(value) : 8;
}
