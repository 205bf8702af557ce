import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkStore, compareWithModel } from "@parley/a2a/testing";
import { findPgBouncer, findPostgres } from "../support/postgres/find-programs.js";
import { startPgBouncer } from "../support/postgres/start-pgbouncer.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import { rounds } from "../support/rounds.js";
import { createSchema } from "./postgres-schema.js";
import type { TestSchema } from "./postgres-schema.js";
import { storeOperations } from "./store-operations.js";

const servers = [
  { version: 15, isPooled: false },
  { version: 18, isPooled: false },
  { version: 18, isPooled: true },
] as const;

describe.each(servers)("PostgreSQL $version, pooled: $isPooled", ({ version, isPooled }) => {
  const programs = [findPostgres(version), ...(isPooled ? [findPgBouncer()] : [])];
  const areThere = programs.every(({ isThere }) => isThere);
  const title = programs.map(({ name }) => name).join(" ");
  const opened: AsyncDisposable[] = [];
  let schema: TestSchema;

  beforeAll(async () => {
    if (!areThere) return;
    const postgres = await startPostgres({ version, settings: { fsync: "off" } });
    opened.push(postgres);
    const pooler = isPooled ? await startPgBouncer(postgres.url) : undefined;
    if (pooler) opened.unshift(pooler);
    schema = await createSchema(postgres, "contract", pooler?.url);
  });
  afterAll(async () => {
    for (const one of opened) await one[Symbol.asyncDispose]();
  });

  describe.runIf(areThere)(`the contract of stores holds ${title}`, () => {
    const again = () => schema.open();
    const cases = checkStore(() => schema.openEmpty(), {
      reopen: again,
      share: again,
      advance: (_, ms) => schema.advance(ms),
    });
    // Through a pooler the same statements run, so a part of the cases is enough.
    for (const [index, { name, run, skipped }] of cases.entries()) {
      if (isPooled && index % 3 > 0) continue;
      test(name, { skip: skipped !== undefined }, run);
    }
  });

  test.runIf(areThere)(`it claims nothing that it gets to too late ${title}`, async () => {
    await using store = await schema.openEmpty();
    await store.renewNode("one", 60_000, { agent: "Echo", revision: "1", version: "1" });
    await store.append({
      taskId: "t1",
      expectedSequence: 0,
      epoch: 1,
      events: [
        {
          kind: "task-created",
          taskId: "t1",
          contextId: "c1",
          status: { state: "TASK_STATE_WORKING" },
        },
      ],
      create: {
        owner: { tenant: "", subject: "" },
        agent: "Echo",
        contextId: "c1",
        createdIn: "1.0",
      },
      status: { state: "TASK_STATE_WORKING", at: 0 },
      node: "gone",
    });
    expect(await store.claimAbandoned("Echo", "one", 10, { withinMs: -1 })).toEqual([]);
    const claimed = await store.claimAbandoned("Echo", "one", 10, { withinMs: 60_000 });
    expect(claimed).toEqual([{ taskId: "t1", epoch: 2, sequence: 1 }]);
  });

  test.runIf(areThere)(`it answers whatever is done to it as the model does ${title}`, async () => {
    await fc.assert(
      fc.asyncProperty(storeOperations, async (operations) => {
        await using store = await schema.openEmpty();
        await compareWithModel(store, operations, { advance: (_, ms) => schema.advance(ms) });
      }),
      { numRuns: rounds(isPooled ? 5 : 25) },
    );
  });
});
