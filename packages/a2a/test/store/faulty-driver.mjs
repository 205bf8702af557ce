/** libsql, except that it fails on demand: what is written says what goes wrong. */
import process from "node:process";
import Database from "libsql";

export class DatabaseSync {
  #database;
  #failsToCommit = false;

  constructor(path) {
    this.#database = new Database(path);
  }

  exec(sql) {
    if (sql === "COMMIT" && this.#failsToCommit) {
      this.#failsToCommit = false;
      throw new Error("disk I/O error (injected)");
    }
    return this.#database.exec(sql);
  }

  prepare(sql) {
    const statement = this.#database.prepare(sql);
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run: (...values) => {
        const text = values.join(" ");
        if (text.includes("breaks the statement")) throw new Error("broken (injected)");
        if (text.includes("ends the thread")) process.exit(1);
        if (text.includes("fails the commit")) this.#failsToCommit = true;
        return statement.run(...values);
      },
    };
  }

  close() {
    this.#database.close();
  }
}
