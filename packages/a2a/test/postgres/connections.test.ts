import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDeferred } from "../../src/async/internal.js";
import { ConnectionLost, openDatabase } from "../../src/postgres/internal.js";
import type { Database, DatabaseOptions } from "../../src/postgres/internal.js";
import { findFreePort } from "../support/postgres/find-free-port.js";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { openCutProxy } from "../support/proxies/cut-proxy.js";

describe.each([15, 18] as const)("connections to PostgreSQL %i", (version) => {
  const { isThere, name } = findPostgres(version);

  describe.skipIf(!isThere)(name, () => {
    let server: TestPostgres;

    beforeAll(async () => {
      server = await startPostgres({ version });
    });

    afterAll(() => server?.stop());

    /** A database, what was reported, and the id of the server's process behind a lane. */
    async function open(options: DatabaseOptions = {}) {
      const reports: string[] = [];
      const report = ({ message }: Error) => void reports.push(message);
      const database = await openDatabase({ url: server.url, report, ...options });
      return { database, reports, [Symbol.asyncDispose]: () => database.close() };
    }

    async function pidOf(database: Database): Promise<number> {
      const [row] = await database.withSession("write", (session) =>
        session.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" }),
      );
      return row?.pid ?? 0;
    }

    it("have timeouts, a name, and bigint as numbers", async () => {
      await using opened = await open();
      const [row] = await opened.database.read({
        text: `SELECT 9007199254740991::bigint AS one, ARRAY[1, NULL]::bigint[] AS many,
          current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('application_name') AS name`,
      });
      expect(row).toEqual({
        one: Number.MAX_SAFE_INTEGER,
        many: [1, null],
        statement: "10s",
        lock: "5s",
        name: "parley",
      });
      const tooLarge = opened.database.read({ text: "SELECT 9007199254740992::bigint" });
      await expect(tooLarge).rejects.toThrow("larger than a number can be");
      expect(opened.database.isPooled).toBe(false);
      expect(opened.database.description).toBe(`127.0.0.1:${server.port}/postgres`);
    });

    it("are counted by what they do: in use, open and not in use, waited for", async () => {
      await using opened = await open({ writers: 1, readers: 2 });
      const { database } = opened;
      // The first connection is there from the beginning, for reads.
      expect(database.connections()).toEqual({ used: 0, idle: 1, pending: 0 });
      const [begun, gate] = [createDeferred<void>(), createDeferred<void>()];
      const holds = database.withSession("write", async () => {
        begun.resolve();
        await gate.promise;
      });
      await begun.promise;
      const waits = pidOf(database);
      expect(database.connections()).toEqual({ used: 1, idle: 1, pending: 1 });
      gate.resolve();
      await Promise.all([holds, waits]);
      expect(database.connections()).toEqual({ used: 0, idle: 2, pending: 0 });
    });

    it("keep the SQLSTATE of an error, and go on", async () => {
      await using opened = await open();
      const failing = opened.database.read({ text: "SELECT 1 / 0" });
      await expect(failing).rejects.toMatchObject({ code: "22012" });
      await expect(opened.database.read({ text: "SELECT 1 AS one" })).resolves.toEqual([
        { one: 1 },
      ]);
    });

    it("wait for a server that restarts", async () => {
      await using opened = await open();
      const { database, reports } = opened;
      await pidOf(database);
      await server.halt();
      const waiting = [
        database.read({ text: "SELECT 1 AS one" }),
        database.withSession("write", (session) => session.query({ text: "SELECT 1 AS one" })),
        database.transaction("lease", (session) => session.query({ text: "SELECT 1 AS one" })),
      ];
      await expect.poll(() => reports).toHaveLength(1);
      await expect(database.check()).rejects.toMatchObject({ code: "UNAVAILABLE" });
      await server.start();
      for (const rows of await Promise.all(waiting)) expect(rows).toEqual([{ one: 1 }]);
      await database.check();
      expect(reports[0]).toMatch(/nothing listens there; .+ wait for it up to 120 s/);
      expect(reports.slice(1)).toEqual([
        `the database 127.0.0.1:${server.port}/postgres can be used again`,
      ]);
    });

    it("wait for a primary where they find a standby", async () => {
      await using opened = await open();
      const { database, reports } = opened;
      await server.restart({ isStandby: true });
      const writing = pidOf(database);
      await expect.poll(() => reports.join()).toContain("it is a read-only standby");
      await server.restart({ isStandby: false });
      await expect(writing).resolves.toBeGreaterThan(0);
    });

    it("go to the server that takes writes, of those that a URL names", async () => {
      const gone = await findFreePort();
      const url = server.url.replace(/@[^/]+/, `@127.0.0.1:${gone},127.0.0.1:${server.port}`);
      await using opened = await open({ url });
      expect(await pidOf(opened.database)).toBeGreaterThan(0);
      expect(opened.database.description).toBe(
        `127.0.0.1:${gone},127.0.0.1:${server.port}/postgres`,
      );
    });

    it("leave a server that takes no more writes", async () => {
      await using opened = await open({ writers: 1 });
      const { database } = opened;
      const before = await pidOf(database);
      const refused = database.withSession("write", async (session) => {
        await session.query({ text: "SET default_transaction_read_only = on" });
        await session.query({ text: "CREATE TABLE refused ()" });
      });
      await expect(refused).rejects.toMatchObject({ cause: { code: "25006" } });
      expect(await pidOf(database)).not.toBe(before);
    });

    it("give up when their patience ends, and say nothing of the address to callers", async () => {
      await using opened = await open({ patienceMs: 300 });
      await server.halt();
      try {
        const refused = await opened.database
          .withSession("write", (session) => session.query({ text: "SELECT 1" }))
          .catch((error: unknown) => error);
        expect(refused).toMatchObject({ code: "UNAVAILABLE", cause: { name: "StoreFault" } });
        expect((refused as Error).message).not.toMatch(/127|parley/);
      } finally {
        await server.start();
      }
    });

    it("do not repeat a statement that was under way, but for reads", async () => {
      await using opened = await open();
      const { database } = opened;
      const end = "SELECT pg_terminate_backend(pg_backend_pid())";
      const lost = database.withSession("write", (session) => session.query({ text: end }));
      await expect(lost).rejects.toThrow(ConnectionLost);
      await expect(lost).rejects.toMatchObject({ cause: { code: "57P01" } });
      await server.run("CREATE SEQUENCE times");
      const once = `SELECT CASE WHEN nextval('times') = 1
        THEN pg_terminate_backend(pg_backend_pid()) ELSE false END AS ended`;
      await expect(database.read({ text: once })).resolves.toEqual([{ ended: false }]);
    });

    it("tell an error of the system from one with which the server ends", async () => {
      await using opened = await open({ writers: 1 });
      const { database } = opened;
      const before = await pidOf(database);
      const run = (text: string) =>
        database.withSession("write", (session) => session.query({ text }));
      const read = "pg_read_file('/nowhere')";
      await expect(run(`SELECT ${read}`)).rejects.toMatchObject({ code: "58P01" });
      expect(await pidOf(database)).toBe(before);
      const within = database.transaction("write", (session) =>
        session.query({ text: `SELECT ${read}` }),
      );
      await expect(within).rejects.toMatchObject({ code: "58P01" });
      expect(await pidOf(database)).toBe(before);
      const last = run(`SELECT pg_terminate_backend(pg_backend_pid()), ${read}`);
      await expect(last).rejects.toThrow(ConnectionLost);
      await expect(last).rejects.toMatchObject({ cause: { code: "58P01" } });
    });

    it("are opened again where they were lost while nobody used them", async () => {
      await using opened = await open();
      const { database } = opened;
      const first = await pidOf(database);
      await server.run(`SELECT pg_terminate_backend(${first})`);
      await expect.poll(() => pidOf(database)).not.toBe(first);
    });

    it("take nothing with them before their first statement", async () => {
      await using opened = await open();
      const { database } = opened;
      const rows = await database.withSession("lease", async (session) => {
        const pids = await server.run(activity);
        await server.run(activity.replace("pid", "pg_terminate_backend(pid)"));
        await expect.poll(() => pids.some(({ pid }) => isRunning(Number(pid)))).toBe(false);
        // By the time of an answer this process has heard all that came before it.
        await server.run("SELECT 1");
        return session.query({ text: "SELECT 1 AS one" });
      });
      expect(rows).toEqual([{ one: 1 }]);
    });

    it("roll back what fails, also when the failure was caught", async () => {
      await using opened = await open({ writers: 1 });
      const { database } = opened;
      const table = `rolled_${version}`;
      await database.read({ text: `CREATE TABLE ${table} (one int)` });
      const count = async () => (await database.read({ text: `SELECT * FROM ${table}` })).length;
      const insert = { text: `INSERT INTO ${table} VALUES (1)` };
      await database.transaction("write", (session) => session.query(insert));
      expect(await count()).toBe(1);
      const failing = database.transaction("write", async (session) => {
        await session.query(insert);
        throw new Error("changed my mind");
      });
      await expect(failing).rejects.toThrow("changed my mind");
      await database.withSession("write", (session) => session.query(insert));
      expect(await count()).toBe(2);
      const caught = database.transaction("write", async (session) => {
        await session.query(insert);
        await session.query({ text: "SELECT 1 / 0" }).catch(() => undefined);
      });
      await expect(caught).rejects.toThrow("rolled back");
      expect(await count()).toBe(2);
    });

    it("prepare a statement anew after 16 and 128 uses", async () => {
      await using opened = await open({ readers: 1 });
      const { database } = opened;
      const names = async () => {
        const text = "SELECT name FROM pg_prepared_statements";
        const rows = await database.read<{ name: string }>({ text });
        return rows.map(({ name: one }) => one);
      };
      const use = async (times: number) => {
        for (let count = 0; count < times; count += 1) {
          await database.read({ text: "SELECT $1::int", values: [count], name: "counted" });
        }
      };
      await use(16);
      expect(await names()).toEqual(["counted_0"]);
      await use(1);
      expect(await names()).toEqual(["counted_1"]);
      await use(112);
      expect(await names()).toEqual(["counted_2"]);
    });

    it("give up a statement that a silent network has swallowed", async () => {
      await using proxy = await openCutProxy(server.port);
      await using opened = await open({
        url: proxy.through(server.url),
        // Long enough for a busy machine.
        statementTimeoutMs: 1000,
        patienceMs: 20_000,
      });
      const { database } = opened;
      await pidOf(database);
      proxy.stall();
      const swallowed = pidOf(database);
      await expect(swallowed).rejects.toThrow(ConnectionLost);
      const reading = database.read({ text: "SELECT 1 AS one" });
      proxy.reset();
      await proxy.resume();
      await expect(reading).resolves.toEqual([{ one: 1 }]);
    });

    it("serve as many at once as a lane has, and the others in order", async () => {
      await using opened = await open({ writers: 2 });
      const order: number[] = [];
      let atOnce = 0;
      let most = 0;
      const two = createDeferred<void>();
      await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          opened.database.withSession("write", async (session) => {
            order.push(index);
            most = Math.max(most, ++atOnce);
            // The first two wait for each other.
            if (order.length === 2) two.resolve();
            await two.promise;
            await session.query({ text: "SELECT 1" });
            atOnce -= 1;
          }),
        ),
      );
      expect(order.filter((index) => index >= 2)).toEqual([2, 3, 4, 5]);
      expect(most).toBe(2);
    });

    it("let what is under way finish when they are closed, and refuse the rest", async () => {
      await using other = await open();
      const { database } = await open({ writers: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 });
      const lock = { text: "SELECT pg_advisory_xact_lock(7)" };
      const done = createDeferred<void>();
      const holding = other.database.transaction("write", async (session) => {
        await session.query(lock);
        await done.promise;
      });
      const locks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory'";
      await expect.poll(() => server.run(`${locks} AND granted`)).toHaveLength(1);
      const begun = database.withSession("write", (session) => session.query(lock));
      await expect.poll(() => server.run(`${locks} AND NOT granted`)).toHaveLength(1);
      const queued = database.withSession("write", (session) => session.query(lock));
      const closed = database.close();
      await expect(queued).rejects.toMatchObject({ code: "UNAVAILABLE" });
      done.resolve();
      await holding;
      await expect(begun).resolves.toHaveLength(1);
      await closed;
      await expect(database.read({ text: "SELECT 1" })).rejects.toThrow("closed");
      await other.database.close();
      await expect.poll(() => server.run(activity)).toHaveLength(0);
    });
  });
});

const activity = "SELECT pid FROM pg_stat_activity WHERE application_name = 'parley'";

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
