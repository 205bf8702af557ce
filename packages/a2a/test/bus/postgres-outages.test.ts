import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgresBus } from "../../src/bus/postgres/index.js";
import type { PostgresBusOptions } from "../../src/bus/postgres/index.js";
import { findPgBouncer, findPostgres } from "../support/postgres/find-programs.js";
import { startPgBouncer } from "../support/postgres/start-pgbouncer.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { until } from "../support/time/until.js";
import { watchBus } from "./watch-bus.js";
import type { WatchedBus } from "./watch-bus.js";

const program = findPostgres();
const pooler = findPgBouncer();

const open = (options: PostgresBusOptions): Promise<WatchedBus> =>
  watchBus((report) => openPostgresBus({ ...options, report }));

describe.skipIf(!program.isThere)(`outages of PostgreSQL, ${program.name}`, () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  test("nodes survive a restart of the server", async () => {
    const first = await open({ url: postgres.url });
    const second = await open({ url: postgres.url });
    await postgres.halt();
    await until(() => !first.bus.isConnected && !second.bus.isConnected, "the loss");
    expect(first.notices).toEqual([
      expect.stringMatching(/^postgres 127\.0\.0\.1:\d+\/postgres: /u),
    ]);
    await postgres.start();
    await until(() => first.bus.isConnected && second.bus.isConnected, "the return");
    expect([first.lost, second.lost]).toEqual([2, 2]);
    expect(first.notices.slice(1)).toEqual([expect.stringMatching(/wake-ups arrive now/u)]);
    first.bus.publish("t1", 8);
    await until(() => second.woken.includes(8), "a wake-up");
    await Promise.all([first.bus.close(), second.bus.close()]);
  });

  test("a server that starts late is connected to then, and missed once", async () => {
    await postgres.halt();
    const node = await open({ url: postgres.url });
    expect(node.bus.isConnected).toBe(false);
    expect(node.notices).toEqual([expect.stringMatching(/nothing listens there/u)]);
    await postgres.start();
    await until(() => node.bus.isConnected, "the connection");
    expect(node.lost).toBe(1);
    await node.bus.close();
  });

  test("the session ended by an operator is opened again", async () => {
    const node = await open({ url: postgres.url });
    await postgres.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'",
    );
    await until(() => node.lost === 2 && node.bus.isConnected, "the return");
    await node.bus.close();
  });

  test("a NOTIFY waits for nothing, not even for the disk", async () => {
    // No commit ends that waits for this standby, which does not exist.
    await postgres.restart({ settings: { synchronous_standby_names: "nobody" } });
    const [node, other] = [await open({ url: postgres.url }), await open({ url: postgres.url })];
    node.bus.publish("t1", 3);
    await until(() => other.woken.includes(3), "a wake-up");
    await Promise.all([node.bus.close(), other.bus.close()]);
    await postgres.restart({ settings: { synchronous_standby_names: "" } });
  });

  describe.skipIf(!pooler.isThere)(`a pooler in between, ${pooler.name}`, () => {
    test("LISTEN that hears nothing is a notice; the node polls, and others hear it", async () => {
      await using bouncer = await startPgBouncer(postgres.url);
      const deaf = await open({ url: bouncer.url });
      expect(deaf.bus.isConnected).toBe(false);
      expect(deaf.notices).toEqual([
        expect.stringMatching(
          /LISTEN hears nothing, .*set PARLEY_LISTEN_URL to a URL that leads past it/u,
        ),
      ]);
      const hearing = await open({ url: bouncer.url, listenUrl: postgres.url });
      expect(hearing.bus.isConnected).toBe(true);
      expect(hearing.notices).toEqual([]);
      deaf.bus.publish("t1", 5);
      await until(() => hearing.woken.includes(5), "a wake-up from the deaf node");
      await Promise.all([deaf.bus.close(), hearing.bus.close()]);
    });

    test("a pooler in session mode is no obstacle", async () => {
      await using bouncer = await startPgBouncer(postgres.url, { mode: "session" });
      const node = await open({ url: bouncer.url });
      expect(node.bus.isConnected).toBe(true);
      await node.bus.close();
    });

    test("PARLEY_LISTEN_URL leads past the pooler", async () => {
      await using bouncer = await startPgBouncer(postgres.url);
      process.env["PARLEY_LISTEN_URL"] = postgres.url;
      try {
        const node = await open({ url: bouncer.url });
        expect(node.bus.isConnected).toBe(true);
        await node.bus.close();
      } finally {
        delete process.env["PARLEY_LISTEN_URL"];
      }
    });
  });

  test("a wrong password and an unknown database are refused in one line", async () => {
    const wrong = new URL(postgres.url);
    wrong.password = "wrong";
    await expect(open({ url: wrong.href })).rejects.toThrow(
      /does not accept the password of "parley"/u,
    );
    const unknown = new URL(postgres.url);
    unknown.pathname = "/nowhere";
    await expect(open({ url: unknown.href })).rejects.toThrow(/there is no database "nowhere"/u);
  });

  test.each(["parley", "Mixed-Case schema", "x".repeat(63), "任务"])(
    "nodes of schema %s wake each other",
    async (schema) => {
      const [first, second] = [
        await open({ url: postgres.url, schema }),
        await open({ url: postgres.url, schema }),
      ];
      first.bus.publish("t1", 2);
      await until(() => second.woken.includes(2), "a wake-up");
      await Promise.all([first.bus.close(), second.bus.close()]);
    },
  );
});

test.each([
  [{ url: 7 }, /^openPostgresBus\(\): url is 7; expected a URL such as/u],
  [{ listenURL: "postgres://one" }, /listenURL is unknown; did you mean listenUrl\?/u],
  [{ url: "mysql://one" }, /has to begin with postgres:\/\//u],
])("%j is refused", async (options, message) => {
  await expect(openPostgresBus(options as PostgresBusOptions)).rejects.toThrow(message);
});
