import { afterAll, beforeAll, describe, test } from "vitest";
import { openPostgresBus } from "../../src/bus/postgres/index.js";
import type { Bus } from "../../src/bus/index.js";
import { checkBus } from "../../src/testing/index.js";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import type { CutProxy } from "../support/proxies/cut-proxy.js";

for (const version of [15, 18] as const) {
  const program = findPostgres(version);
  describe.skipIf(!program.isThere)(
    `the bus over PostgreSQL holds the contract, ${program.name}`,
    () => {
      let postgres: TestPostgres;
      let proxy: CutProxy;
      beforeAll(async () => {
        postgres = await startPostgres({ version });
        proxy = await openCutProxy(postgres.url);
      });
      afterAll(async () => {
        await proxy[Symbol.asyncDispose]();
        await postgres.stop();
      });
      const open = (url: string, schema = "one"): Promise<Bus> =>
        openPostgresBus({ url, schema, report: () => undefined });
      const cases = checkBus(() => open(proxy.through(postgres.url)), {
        share: () => open(postgres.url),
        stranger: () => open(postgres.url, "two"),
        cut: async () => {
          await proxy.cut();
          return () => proxy.resume();
        },
      });
      for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
    },
  );
}
