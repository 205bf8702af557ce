import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import type { Store } from "@parley/a2a/store";
import { openPostgresStore } from "@parley/a2a/store/postgres";
import { checkStore, compareWithModel } from "@parley/a2a/testing";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { rounds } from "../support/rounds.js";
import { storeOperations } from "./store-operations.js";

describe.each([15, 18] as const)("PostgreSQL %i", (version) => {
  const program = findPostgres(version);
  let postgres: TestPostgres;
  let count = 0;
  const schemas = new WeakMap<Store, { readonly schema: string; aheadMs: number }>();

  beforeAll(async () => {
    if (program.isThere) postgres = await startPostgres({ version, settings: { fsync: "off" } });
  });
  afterAll(async () => postgres?.stop());

  /** Opens a store in a schema of its own, or in the one of another store. */
  async function open(other?: Store): Promise<Store> {
    const place = (other && schemas.get(other)) ?? { schema: `s${(count += 1)}`, aheadMs: 0 };
    const { url } = postgres;
    const store = await openPostgresStore({ url, schema: place.schema, durability: "process" });
    schemas.set(store, place);
    return store;
  }

  async function advance(store: Store, ms: number): Promise<void> {
    const place = schemas.get(store);
    if (place === undefined) throw new Error("the store is not of this test");
    place.aheadMs += ms;
    await postgres.run(
      `CREATE OR REPLACE FUNCTION ${place.schema}.now_ms() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
        AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + ${place.aheadMs}'`,
    );
  }

  describe.runIf(program.isThere)(`the contract of stores holds ${program.name}`, () => {
    const cases = checkStore(() => open(), { reopen: open, share: open, advance });
    for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
  });

  test.runIf(program.isThere)("it answers whatever is done to it as the model does", async () => {
    await fc.assert(
      fc.asyncProperty(storeOperations, async (operations) => {
        await using store = await open();
        await compareWithModel(store, operations, { advance });
      }),
      { numRuns: rounds(40) },
    );
  });
});
