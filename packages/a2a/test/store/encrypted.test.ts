import { afterAll, describe, expect, it, test } from "vitest";
import { encryptSecrets, newSealKey, parseSealKey } from "@parley/a2a/store";
import type { PushConfigRecord, Store } from "@parley/a2a/store";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { checkStore, createTestClock } from "@parley/a2a/testing";
import type { TestClock } from "@parley/a2a/testing";
import { verifies } from "../spec/verifies.js";
import { creation } from "./sqlite-files.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";

const older = parseSealKey("2025", newSealKey());
const newer = parseSealKey("2026", newSealKey());

const folder = await openFolder();
afterAll(() => folder[Symbol.asyncDispose]());

describe("a store that encrypts secrets holds the contract of stores", () => {
  const stores = new WeakMap<Store, Store>();
  const clocks = new WeakMap<Store, TestClock>();
  const create = (): Store => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    clocks.set(store, clock);
    return store;
  };
  const encrypt = async (store: Store): Promise<Store> => {
    const encrypted = encryptSecrets(store, [newer]);
    stores.set(encrypted, store);
    return encrypted;
  };
  const cases = checkStore(() => encrypt(create()), {
    share: (store) => encrypt(stores.get(store) ?? store),
    advance: (store, ms) => clocks.get(stores.get(store) ?? store)?.advance(ms),
  });
  for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
});

const record: PushConfigRecord = {
  taskId: "t1",
  configId: "c1",
  dialect: "0.3",
  detail: "artifacts",
  host: "hook.example",
  config: {
    id: "c1",
    taskId: "t1",
    url: "https://hook.example/?key=secret-of-the-url",
    token: "secret-token",
    authentication: { scheme: "Bearer", credentials: "secret-credentials" },
    headers: { "X-Key": "secret-header" },
  },
};

describe("what is in the file of an encrypted store", () => {
  it("shows no secret, whichever way it was written", async () => {
    verifies("push:token-secret");
    verifies("push:stored-securely");
    verifies("security:credentials-secret");
    const path = folder.file("at-rest.db");
    {
      await using store = encryptSecrets(await openSqliteStore({ path }), [newer]);
      const { taskId: _, ...withTask } = { ...record, configId: "c2" };
      await store.append(creation("t1", { pushConfig: withTask }));
      await store.savePushConfig(record);
      await store.settleSecret("page-tokens", "secret-of-nodes");
      expect(await store.loadPushConfig("t1", "c1")).toEqual(record);
      expect((await store.listPushConfigs("t1", undefined, 9)).map(({ config }) => config)).toEqual(
        [record.config, record.config],
      );
      expect(await store.settleSecret("page-tokens", "another")).toBe("secret-of-nodes");
    }
    using raw = openRaw(path);
    const tables = raw.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
    const rows = tables.flatMap(({ name }) => raw.all(`SELECT * FROM ${String(name)}`));
    const text = JSON.stringify(rows);
    expect(text).toContain("parley-sealed:2026.");
    expect(text).not.toContain("secret-");
  });
});

describe("keys", () => {
  it("can be replaced: the new one writes, the old one still reads", async () => {
    verifies("security:credentials-rotated");
    const store = createMemoryStore();
    await store.append(creation("t1"));
    const before = encryptSecrets(store, [older]);
    await before.savePushConfig(record);
    await before.settleSecret("s", "kept");
    const after = encryptSecrets(store, [newer, older]);
    expect(await after.loadPushConfig("t1", "c1")).toEqual(record);
    expect(await after.settleSecret("s", "other")).toBe("kept");
    await after.savePushConfig(record);
    const onlyNew = encryptSecrets(store, [newer]);
    expect(await onlyNew.loadPushConfig("t1", "c1")).toEqual(record);
    await expect(onlyNew.settleSecret("s", "other")).rejects.toThrow("with the key 2025");
  });

  it("can be introduced over what was written without, and that is still read", async () => {
    const store = createMemoryStore();
    await store.append(creation("t1"));
    await store.savePushConfig(record);
    await store.settleSecret("s", "plain");
    const encrypted = encryptSecrets(store, [newer]);
    expect(await encrypted.loadPushConfig("t1", "c1")).toEqual(record);
    expect(await encrypted.settleSecret("s", "other")).toBe("plain");
  });

  it("that are missing make it fail, and never read as if there were no secret", async () => {
    const store = createMemoryStore();
    await store.append(creation("t1"));
    await encryptSecrets(store, [older]).savePushConfig(record);
    const wrong = encryptSecrets(store, [{ ...newer, id: older.id }]);
    await expect(wrong.loadPushConfig("t1", "c1")).rejects.toThrow(
      "cannot be decrypted with the key",
    );
    await expect(wrong.listPushConfigs("t1", undefined, 9)).rejects.toMatchObject({
      code: "INTERNAL",
    });
  });

  it("bind a secret to its row: put into another, it is refused", async () => {
    const store = createMemoryStore();
    await store.append(creation("t1"));
    await store.append(creation("t2"));
    const encrypted = encryptSecrets(store, [newer]);
    await encrypted.savePushConfig(record);
    const sealed = await store.loadPushConfig("t1", "c1");
    if (sealed === undefined) throw new Error("nothing was saved");
    await store.savePushConfig({ ...sealed, taskId: "t2" });
    await expect(encrypted.loadPushConfig("t2", "c1")).rejects.toMatchObject({ code: "INTERNAL" });
  });
});

it("says that it encrypts", () => {
  expect(encryptSecrets(createMemoryStore(), [newer]).description).toBe(
    "memory, secrets encrypted",
  );
});
