import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/postgres/internal.js";
import { openStore } from "../../src/node/engines/open-store.js";
import { openPostgresStore } from "../../src/store/postgres/internal.js";
import { migratePostgres } from "../../src/store/postgres/migrate-postgres.js";
import {
  checkSchema,
  migrate,
  planMigration,
  refuseOldSchema,
} from "../../src/store/postgres/migrate.js";
import { migrations } from "../../src/store/postgres/migrations.js";
import type { Migration } from "../../src/store/postgres/migrations.js";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";

const first: Migration = {
  name: "create notes",
  sql: (schema) =>
    `CREATE TABLE ${schema}.notes (note int); INSERT INTO ${schema}.notes VALUES (1)`,
};
const second: Migration = {
  name: "index notes",
  outside: (schema) => [
    `DROP INDEX CONCURRENTLY IF EXISTS ${schema}.notes_by_note`,
    `CREATE INDEX CONCURRENTLY notes_by_note ON ${schema}.notes (note)`,
  ],
};
const third: Migration = {
  name: "drop the index",
  sql: (schema) => `DROP INDEX ${schema}.notes_by_note`,
  minVersion: 2,
};

describe.each([15, 18] as const)("migrations on PostgreSQL %i", (version) => {
  const { isThere, name } = findPostgres(version);

  describe.skipIf(!isThere)(name, () => {
    let server: TestPostgres;

    beforeAll(async () => {
      server = await startPostgres({ version });
    });

    afterAll(() => server?.stop());

    it("make the schema that the URL names, and the store and its nodes work there", async () => {
      const url = `${server.url}?schema=blue`;
      await using blue = await openPostgresStore({ url });
      await using green = await openPostgresStore({ url, schema: "green" });
      const info = { agent: "Echo", revision: "1", version: "1" };
      await blue.renewNode("n1", 60_000, info);
      await using again = await openStore(url, { mustExist: true });
      expect((await again.listNodes()).map(({ node }) => node)).toEqual(["n1"]);
      expect(await green.listNodes()).toEqual([]);
      await using database = await openDatabase({ url });
      expect(await database.read({ text: "SELECT node FROM blue.nodes" })).toEqual([
        { node: "n1" },
      ]);
      expect((await migratePostgres({ url, isDryRun: true })).steps).toEqual([]);
    });

    let schemas = 0;

    /** Connections, and a schema that is not there yet. */
    async function open(schema = `schema_${++schemas}`) {
      const database = await openDatabase({ url: server.url });
      return {
        database,
        schema,
        /** The names of tables and indexes. */
        relations: async () => {
          const rows = await database.read<{ relname: string }>({
            text: `SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
              WHERE nspname = $1 ORDER BY relname`,
            values: [schema],
          });
          return rows.map(({ relname }) => relname);
        },
        [Symbol.asyncDispose]: () => database.close(),
      };
    }

    it("go one after the other, and what was done is not done again", async () => {
      await using opened = await open('Odd "name"');
      const { database, schema, relations } = opened;
      const once = await migrate(database, { schema, migrations: [first] });
      expect(once).toMatchObject({ from: 0, to: 1 });
      expect(await relations()).toEqual(["notes", "parley_meta"]);
      const more = await migrate(database, { schema, migrations: [first, second] });
      expect(more).toMatchObject({ from: 1, to: 2 });
      expect(await relations()).toEqual(["notes", "notes_by_note", "parley_meta"]);
      const none = await migrate(database, { schema, migrations: [first, second] });
      expect(none).toEqual({ from: 2, to: 2, steps: [] });
      expect(await server.run('SELECT * FROM "Odd ""name""".parley_meta')).toEqual([
        { version: 2, min_version: 0 },
      ]);
    });

    it("of many nodes at once are made by one of them", async () => {
      await using opened = await open();
      const { schema } = opened;
      const reports = await Promise.all(
        Array.from({ length: 5 }, async () => {
          await using database = await openDatabase({ url: server.url, writers: 1, readers: 1 });
          return await migrate(database, { schema, migrations: [first, second, third] });
        }),
      );
      expect(reports.map(({ to }) => to)).toEqual([3, 3, 3, 3, 3]);
      expect(await server.run(`SELECT count(*)::int FROM ${schema}.notes`)).toEqual([{ count: 1 }]);
      expect(await opened.relations()).toEqual(["notes", "parley_meta"]);
    });

    it("are listed without being made", async () => {
      await using opened = await open();
      const { database, schema, relations } = opened;
      const options = { schema, migrations: [first, second] };
      const { from, to, steps } = await planMigration(database, options);
      expect({ from, to }).toEqual({ from: 0, to: 2 });
      expect(steps).toEqual([
        `-- 1: create notes\nCREATE TABLE "${schema}".notes (note int); INSERT INTO "${schema}".notes VALUES (1)`,
        `-- 2: index notes\nDROP INDEX CONCURRENTLY IF EXISTS "${schema}".notes_by_note\n` +
          `CREATE INDEX CONCURRENTLY notes_by_note ON "${schema}".notes (note)`,
      ]);
      expect(await relations()).toEqual([]);
      expect(await server.run(`SELECT to_regnamespace('${schema}') AS found`)).toEqual([
        { found: null },
      ]);
    });

    it("refuse a node that is too old, and let older ones work where they can", async () => {
      await using opened = await open();
      const { database, schema } = opened;
      await migrate(database, { schema, migrations: [first, second, third] });
      expect(await checkSchema(database, { schema, migrations: [first, second] })).toBe(0);
      for (const attempt of [checkSchema, migrate, planMigration]) {
        await expect(attempt(database, { schema, migrations: [first] })).rejects.toThrow(
          `cannot use the database ${database.description} as user "parley": a later version of Parley has changed the schema "${schema}", which needs a node that knows version 2, and this one knows up to 1; update Parley, or choose another schema`,
        );
      }
    });

    it("that nobody may make are asked for", async () => {
      await using opened = await open();
      const { database, schema } = opened;
      const options = { schema, migrations: [first, second] };
      expect(
        refuseOldSchema(database, options, await checkSchema(database, options)).message,
      ).toMatch(/there are no tables in the schema "schema_\d"; run `parley migrate`$/);
      await migrate(database, { schema, migrations: [first] });
      expect(
        refuseOldSchema(database, options, await checkSchema(database, options)).message,
      ).toMatch(
        /the schema "schema_\d" has version 1, and this version of Parley needs 2; run `parley migrate`$/,
      );
    });

    it("that fail leave nothing behind", async () => {
      await using opened = await open();
      const { database, schema, relations } = opened;
      const broken: Migration = {
        name: "break",
        sql: (at) => `CREATE TABLE ${at}.a (); SELECT 1/0`,
      };
      const failing = migrate(database, { schema, migrations: [broken] });
      await expect(failing).rejects.toMatchObject({ code: "22012" });
      expect(await relations()).toEqual([]);
    });

    it("leave the tables of other programs alone", async () => {
      await using opened = await open();
      const { database, schema, relations } = opened;
      await server.run(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.notes (other text)`);
      await expect(migrate(database, { schema, migrations: [first] })).rejects.toThrow(
        /the schema "schema_\d" belongs to another program \(relation "notes" already exists\); choose another schema$/,
      );
      expect(await relations()).toEqual(["notes"]);
    });

    it("need the right to make tables, and nodes that to use them", async () => {
      await using opened = await open();
      const { database, schema } = opened;
      await server.run(`CREATE ROLE reader LOGIN PASSWORD 'reader'; CREATE SCHEMA ${schema}`);
      await server.run(`GRANT USAGE ON SCHEMA ${schema} TO reader`);
      const { href: url } = Object.assign(new URL(server.url), {
        username: "reader",
        password: "reader",
      });
      await expect(migratePostgres({ url, schema })).rejects.toThrow(
        /this user may not read or change the schema "schema_\d" \(.+\); run `parley migrate` as its owner, or grant the right$/,
      );
      const options = { schema, migrations: [first] };
      await migrate(database, options);
      await using reader = await openDatabase({ url });
      await expect(checkSchema(reader, options)).rejects.toThrow(
        /may not read or change .+ \(permission denied for table parley_meta\)/,
      );
      await server.run(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO reader`);
      await expect(checkSchema(reader, options)).rejects.toThrow(
        `this user may not use the table "notes" of the schema "${schema}"; run \`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "reader"\` as its owner`,
      );
      await server.run(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO reader`);
      expect(await checkSchema(reader, options)).toBe(0);
    });

    it("of this version make the schema in one go", async () => {
      await using opened = await open("parley");
      const { relations } = opened;
      const plan = await migratePostgres({ url: server.url, isDryRun: true });
      expect(plan.steps).toHaveLength(migrations.length);
      expect(await relations()).toEqual([]);
      expect(await migratePostgres({ url: server.url })).toEqual(plan);
      expect(await relations()).toContain("tasks");
      expect(await migratePostgres({ url: server.url })).toEqual({
        from: plan.to,
        to: plan.to,
        steps: [],
      });
    });

    it("go on where their connection was lost", async () => {
      await using opened = await open();
      const { database, schema } = opened;
      await server.run("CREATE SEQUENCE public.times");
      const lost: Migration = {
        name: "lose the connection once",
        sql: () =>
          `SELECT CASE WHEN nextval('public.times') = 1 THEN pg_terminate_backend(pg_backend_pid()) END`,
      };
      await migrate(database, { schema, migrations: [first, lost] });
      expect(await checkSchema(database, { schema, migrations: [first, lost] })).toBe(0);
    });
  });
});
