import type { Connection } from "../connection.js";
import type { SqliteValue } from "../driver.js";

/** How many rows a statement inserts: each call of the driver costs about as much as a row. */
const sizes = [16, 4, 1];

/** Rows of one table that are collected, to be inserted with few statements. */
export class NewRows {
  readonly #columns: number;
  readonly #statements: ReadonlyMap<number, string>;
  #values: SqliteValue[] = [];

  /** `into` names the table and its columns; `onConflict` says what to do with a row that is there already. */
  constructor(into: string, onConflict = "") {
    this.#columns = into.split(",").length;
    const row = `(${Array.from({ length: this.#columns }).fill("?").join(", ")})`;
    this.#statements = new Map(
      sizes.map((size) => {
        const rows = Array.from({ length: size }).fill(row).join(", ");
        return [size, `INSERT INTO ${into} VALUES ${rows} ${onConflict}`];
      }),
    );
  }

  add(...row: SqliteValue[]): void {
    this.#values.push(...row);
  }

  /** Inserts the rows in the order in which they were added. */
  insert(db: Connection): void {
    const values = this.#values;
    this.clear();
    let done = 0;
    for (const [size, sql] of this.#statements) {
      const length = size * this.#columns;
      for (; values.length - done >= length; done += length) {
        db.run(sql, ...values.slice(done, done + length));
      }
    }
  }

  clear(): void {
    if (this.#values.length > 0) this.#values = [];
  }
}
