import fc from "fast-check";
import { afterAll, describe, test } from "vitest";
import type { Store } from "@parley/a2a/store";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { checkStore, compareWithModel } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";
import { storeOperations } from "./store-operations.js";
import { rounds } from "../support/rounds.js";

const folder = await openFolder();
afterAll(() => folder[Symbol.asyncDispose]());

const paths = new WeakMap<Store, string>();
let count = 0;

async function create(path = folder.file(`${(count += 1)}.db`)): Promise<Store> {
  const store = await openSqliteStore({ path, durability: "process" });
  paths.set(store, path);
  return store;
}

describe("the SQLite store holds the contract of stores", () => {
  const again = (store: Store): Promise<Store> => create(paths.get(store));
  const cases = checkStore(() => create(), { reopen: again, share: again });
  for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
});

test("the SQLite store answers whatever is done to it as the model does", async () => {
  await fc.assert(
    fc.asyncProperty(storeOperations, async (operations) => {
      await using store = await create();
      await compareWithModel(store, operations);
    }),
    { numRuns: rounds(40) },
  );
});
