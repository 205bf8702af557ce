import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkServer, openDatabase } from "../../src/postgres/internal.js";
import { migratePostgres } from "../../src/store/postgres/migrate-postgres.js";
import { findPgBouncer, findPostgres } from "../support/postgres/find-programs.js";
import { startPgBouncer } from "../support/postgres/start-pgbouncer.js";
import type { TestPgBouncer } from "../support/postgres/start-pgbouncer.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";

const pooling = findPgBouncer();

describe.each([15, 18] as const)(
  "PgBouncer in transaction mode before PostgreSQL %i",
  (version) => {
    const { isThere } = findPostgres(version);

    describe.skipIf(!isThere || !pooling.isThere)(pooling.name, () => {
      let server: TestPostgres;
      let pooler: TestPgBouncer;

      beforeAll(async () => {
        server = await startPostgres({ version });
        pooler = await startPgBouncer(server.url);
      });

      afterAll(async () => {
        await pooler?.stop();
        await server?.stop();
      });

      /** Runs named statements on many connections at once, so that sessions of the server change hands. */
      async function useNames(prepare?: boolean) {
        const database = await openDatabase({
          url: pooler.url,
          readers: 12,
          ...(prepare !== undefined && { prepare }),
        });
        await using _ = database;
        const numbers = Array.from({ length: 300 }, (_value, index) => index);
        const answers = await Promise.all(
          numbers.map((number) =>
            database.read<{ number: number }>({
              text: "SELECT $1::int AS number",
              values: [number],
              name: "echo",
            }),
          ),
        );
        expect(answers.map(([row]) => row?.number)).toEqual(numbers);
        return await server.run("SELECT name FROM pg_prepared_statements", pooler.url);
      }

      it("is noticed, and nothing is prepared", async () => {
        await using database = await openDatabase({ url: pooler.url });
        expect(database.isPooled).toBe(true);
        await checkServer(database, { schema: "parley", durability: "disk" });
        expect(await useNames()).toEqual([]);
      });

      it("answers right where somebody prepares all the same", async () => {
        await useNames(true);
      });

      it("gets timeouts in transactions, and leaves none in sessions of others", async () => {
        await using database = await openDatabase({
          url: pooler.url,
          settings: { synchronous_commit: "off" },
        });
        const text = `SELECT current_setting('statement_timeout') AS statement,
        current_setting('lock_timeout') AS lock, current_setting('synchronous_commit') AS commit`;
        const within = await database.transaction("write", (session) => session.query({ text }));
        expect(within).toEqual([{ statement: "10s", lock: "5s", commit: "off" }]);
        for (let count = 0; count < 8; count += 1) {
          expect(await server.run(text, pooler.url)).toEqual([
            { statement: "0", lock: "0", commit: "on" },
          ]);
        }
      });

      it("lets a schema be migrated", async () => {
        const { from, to } = await migratePostgres({ url: pooler.url, schema: "pooled" });
        expect(from).toBe(0);
        expect(await server.run("SELECT version FROM pooled.parley_meta")).toEqual([
          { version: to },
        ]);
      });

      it("is waited for while its server restarts", async () => {
        await using database = await openDatabase({ url: pooler.url, report: () => undefined });
        await database.read({ text: "SELECT 1" });
        await server.restart();
        expect(await database.read({ text: "SELECT 1 AS one" })).toEqual([{ one: 1 }]);
      });
    });
  },
);
