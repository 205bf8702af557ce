import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import type { Store } from "@parley/a2a/store";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { checkStore, compareWithModel, createTestClock } from "@parley/a2a/testing";
import type { TestClock } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";
import { storeOperations } from "./store-operations.js";
import { rounds } from "../support/rounds.js";

const folder = await openFolder();
afterAll(() => folder[Symbol.asyncDispose]());

/** The file of a store, and the clock of all who use it. */
interface Place {
  readonly path: string;
  readonly clock: TestClock;
}

const places = new WeakMap<Store, Place>();
let count = 0;

async function create(place?: Place): Promise<Store> {
  const { path, clock } = place ?? {
    path: folder.file(`${(count += 1)}.db`),
    clock: createTestClock(),
  };
  const store = await openSqliteStore({ path, durability: "process", clock });
  places.set(store, { path, clock });
  return store;
}

const advance = (store: Store, ms: number) => places.get(store)?.clock.advance(ms);

describe("the SQLite store holds the contract of stores", () => {
  const again = (store: Store): Promise<Store> => create(places.get(store));
  const cases = checkStore(() => create(), { reopen: again, share: again, advance });
  for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
});

test("the SQLite store answers whatever is done to it as the model does", async () => {
  await fc.assert(
    fc.asyncProperty(storeOperations, async (operations) => {
      await using store = await create();
      await compareWithModel(store, operations, { advance });
    }),
    { numRuns: rounds(40) },
  );
});
