import type { Store } from "@parley/a2a/store";
import { migratePostgres, openPostgresStore } from "@parley/a2a/store/postgres";
import type { PostgresStoreOptions } from "@parley/a2a/store/postgres";
import type { TestPostgres } from "../support/postgres/start-postgres.js";

/** One schema for many tests, which is faster than one each. */
export interface TestSchema {
  /** Opens a store over what is there. */
  open(options?: PostgresStoreOptions): Promise<Store>;
  /** Opens a store after everything was deleted. */
  openEmpty(options?: PostgresStoreOptions): Promise<Store>;
  /** Moves the store's time forward. */
  advance(ms: number): Promise<void>;
}

/** `url` may lead through a pooler to the same server. */
export async function createSchema(
  postgres: TestPostgres,
  schema: string,
  url: string = postgres.url,
): Promise<TestSchema> {
  await migratePostgres({ url: postgres.url, schema });
  const rows = await postgres.run(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'parley_meta'`,
  );
  const tables = rows.map(({ name }) => `${schema}.${String(name)}`).join(", ");
  let aheadMs = 0;
  const setTime = (): Promise<unknown> =>
    postgres.run(
      `CREATE OR REPLACE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
        AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${aheadMs}'`,
    );
  const open = (options?: PostgresStoreOptions): Promise<Store> =>
    openPostgresStore({ url, schema, durability: "process", ...options });
  return {
    open,
    async openEmpty(options) {
      await postgres.run(`TRUNCATE ${tables} RESTART IDENTITY`);
      if (aheadMs > 0) {
        aheadMs = 0;
        await setTime();
      }
      return open(options);
    },
    async advance(ms) {
      aheadMs += ms;
      await setTime();
    },
  };
}
