import { describe, test } from "vitest";
import { checkStore } from "@parley/a2a/testing";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import type { Store } from "@parley/a2a/store";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const paths = new WeakMap<Store, string>();

async function open(path: string): Promise<Store> {
  const store = await openSqliteStore({ path, durability: "process" });
  paths.set(store, path);
  return store;
}

describe("the SQLite store holds the contract of stores", () => {
  const create = async () => open(join(await mkdtemp(join(tmpdir(), "parley-sqlite-")), "a.db"));
  const again = async (store: Store) => open(paths.get(store) ?? "");
  for (const { name, run, skipped } of checkStore(create, { reopen: again, share: again })) {
    test(name, { skip: skipped !== undefined }, run);
  }
});
