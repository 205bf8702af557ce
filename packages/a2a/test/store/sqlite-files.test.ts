import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { clientTaskKey } from "../../src/server/log/task-identity.js";
import { migrations } from "../../src/store/sqlite/migrations.js";
import { createTables } from "../../src/store/sqlite/migrations/create-tables.js";
import { createTestClock } from "../../src/testing/index.js";
import { chunksOf, creation } from "./sqlite-files.js";
import { openFolder } from "../support/files/open-folder.js";
import { openRaw } from "../support/files/open-raw.js";

test("a new database has the schema that is written down", async () => {
  await using folder = await openFolder();
  await (await openSqliteStore({ path: folder.file() })).close();
  using raw = openRaw(folder.file());
  const [id] = raw.all("PRAGMA application_id");
  const [version] = raw.all("PRAGMA user_version");
  const objects = raw.all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid");
  const statements = [
    `PRAGMA application_id = ${String(id?.["application_id"])}`,
    `PRAGMA user_version = ${String(version?.["user_version"])}`,
    ...objects.map(({ sql }) => String(sql)),
  ];
  await expect(`${statements.join(";\n\n")};\n`).toMatchFileSnapshot(
    "../../src/store/sqlite/schema.sql",
  );
});

test("the folder of a store is created, and is its owner's alone", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "some", "where", "parley.db");
  await using store = await openSqliteStore({ path });
  expect(store.description).toBe(`sqlite ${path}`);
  if (process.platform !== "win32") {
    expect((await stat(join(folder.path, "some", "where"))).mode & 0o777).toBe(0o700);
  }
});

test("an empty file becomes a store", async () => {
  await using folder = await openFolder();
  await writeFile(folder.file(), "");
  await using store = await openSqliteStore({ path: folder.file() });
  await store.append(creation("t1"));
  expect((await store.loadRecord("t1"))?.sequence).toBe(1);
});

test("a store that is closed leaves one file, with everything in it", async () => {
  await using folder = await openFolder();
  const store = await openSqliteStore({ path: folder.file() });
  await store.append(creation("t1"));
  await store.close();
  const wal = await stat(`${folder.file()}-wal`).catch(() => ({ size: 0 }));
  expect(wal.size).toBe(0);
  using raw = openRaw(folder.file());
  expect(raw.all("SELECT task_id FROM tasks")).toMatchObject([{ task_id: "t1" }]);
});

test("a database of another program is refused and stays as it is", async () => {
  await using folder = await openFolder();
  {
    using raw = openRaw(folder.file());
    raw.exec("CREATE TABLE accounts (id INTEGER)");
  }
  const before = await readFile(folder.file());
  await expect(openSqliteStore({ path: folder.file() })).rejects.toThrow(
    `${folder.file()} is a database of another program; choose another path`,
  );
  expect(await readFile(folder.file())).toEqual(before);
  expect(await readdir(folder.path)).toEqual(["parley.db"]);
});

test("a store of a later version is refused and stays as it is", async () => {
  await using folder = await openFolder();
  await (await openSqliteStore({ path: folder.file() })).close();
  {
    using raw = openRaw(folder.file());
    raw.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  const before = await readFile(folder.file());
  await expect(openSqliteStore({ path: folder.file() })).rejects.toThrow(
    /was written by a later version of Parley: its schema is 99, this version knows up to \d+; update Parley, or choose another path$/,
  );
  expect(await readFile(folder.file())).toEqual(before);
});

test("a file that is no database is refused and stays as it is", async () => {
  await using folder = await openFolder();
  const text = "not a database, but notes that somebody needs\n".repeat(100);
  await writeFile(folder.file(), text);
  await expect(openSqliteStore({ path: folder.file() })).rejects.toThrow(
    `cannot open the store ${folder.file()}: it is not a SQLite database; choose another path`,
  );
  expect(await readFile(folder.file(), "utf8")).toBe(text);
});

test.each([":memory:", ":memory:?cache=shared", ""])(
  "the path %j is refused with a hint at the memory store",
  async (path) => {
    await expect(openSqliteStore({ path })).rejects.toThrow(/use the memory store instead/);
  },
);

test("a driver that is not there says what to install", async () => {
  await using folder = await openFolder();
  const open = openSqliteStore({ path: folder.file(), driver: "no-such-driver" });
  await expect(open).rejects.toThrow(/driver no-such-driver .* `npm install no-such-driver`/);
  const other = openSqliteStore({ path: folder.file(), driver: "node:path" });
  await expect(other).rejects.toThrow("the module node:path exports no SQLite database");
  expect(await readdir(folder.path)).toEqual([]);
});

test("what was deleted is not in the file any more", async () => {
  await using folder = await openFolder();
  const secret = "the-colour-of-the-parrot";
  const store = await openSqliteStore({ path: folder.file() });
  const status = { state: "TASK_STATE_COMPLETED", at: 1000 } as const;
  const task = { id: "t1", status: { state: status.state }, metadata: { secret } } as const;
  await store.append(creation("t1", { status, checkpoint: task, messageIds: [secret] }));
  await store.append(creation("t2"));
  await store.deleteEnded(2000, 10);
  expect(await chunksOf(store, "t2")).toEqual([]);
  await store.close();
  expect((await readFile(folder.file())).includes(secret)).toBe(false);
});

test("a store of the first schema is brought up to date, and its tasks are weighed", async () => {
  await using folder = await openFolder();
  {
    using raw = openRaw(folder.file());
    raw.exec(createTables);
    raw.exec(`
      PRAGMA application_id = ${0x50726c79};
      PRAGMA user_version = 1;
      INSERT INTO scopes VALUES (1, 'acme', 'ada', 'travel');
      INSERT INTO counters VALUES (1, 3, 2);
      INSERT INTO tasks VALUES (1, 't1', 1, 'travel', 'c', '1.0', 3, 1000, 1, NULL);
      INSERT INTO tasks VALUES (2, 't2', 1, 'travel', 'c', '1.0', 3, 1000, 1, NULL);
      INSERT INTO tasks VALUES (3, 't3', 1, 'travel', 'c', '1.0', 2, 1000, 1, NULL);
      INSERT INTO log VALUES (1, 3, 1, '{"kind":"task-created","taskId":"t3","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}');
      INSERT INTO log VALUES (2, 3, 2, '{"kind":"artifact-updated","artifact":{"artifactId":"a","parts":[{"text":"old"}]}}');
      INSERT INTO checkpoints VALUES (1, 1, '${"x".repeat(40)}');
      INSERT INTO push_configs VALUES ('t1', 'c1', '0.3', '{"url":"https://a.example"}');
      INSERT INTO push_configs VALUES ('never', 'c1', '1.0', '{"url":"https://a.example"}');
      INSERT INTO tasks VALUES (4, 'client:acme/ada/mine%2F1', 1, 'travel', 'c', '0.1', 3, 1000, 1, NULL);
      INSERT INTO idempotency_keys VALUES ('acme', 'ada', 'key:1', 'hash', 9000, 1, NULL);
      INSERT INTO idempotency_keys VALUES ('acme', 'ada', 'key:2', 'hash', 9000, NULL, '{"text":"of whom?"}');
    `);
  }
  await using store = await openSqliteStore({ path: folder.file() });
  expect(await store.loadRecord("t1")).toMatchObject({ contextId: "c", createdIn: "1.0" });
  const usage = await store.loadUsage("ada", "travel");
  const config = { url: "https://a.example" };
  expect(usage).toEqual({ tasks: 2, bytes: 40 + JSON.stringify(config).length });
  const record = { taskId: "t1", configId: "c1", dialect: "0.3", detail: "artifacts", host: "" };
  expect(await store.listPushConfigs("t1", undefined, 10)).toEqual([{ ...record, config }]);
  // A key that leads to a task is its agent's. Nobody knows whose a reply is.
  const scope = { tenant: "acme", subject: "ada", agent: "travel" };
  const keyed = { requestHash: "hash", taskId: "t1" };
  expect(await store.loadIdempotentResult(scope, "key:1", 0)).toEqual(keyed);
  const elsewhere = { ...scope, agent: "weather" };
  expect(await store.loadIdempotentResult(elsewhere, "key:1", 0)).toBeUndefined();
  expect(await store.loadIdempotentResult(scope, "key:2", 0)).toBeUndefined();
  const chosen = clientTaskKey(scope, "mine/1");
  expect(await store.loadRecord(chosen)).toMatchObject({ taskId: chosen, createdIn: "0.1" });
  // A log of rows with one event each goes on with rows of several.
  const chunk = (text: string) =>
    ({ kind: "artifact-updated", artifact: { artifactId: "a", parts: [{ text }] } }) as const;
  const events = [chunk("new"), chunk("newer")];
  const { at } = await store.append({ taskId: "t3", expectedSequence: 2, epoch: 1, events });
  expect(await chunksOf(store, "t3")).toEqual(["old", "new", "newer"]);
  const page = await store.read("t3", 1, 2);
  expect(page.map(({ sequence }) => sequence)).toEqual([2, 3]);
  // Nobody knows when the earlier ones were committed.
  expect(page.map((entry) => entry.at)).toEqual([1000, at]);
});

test("a store of before nodes were described is brought up to date, and leases hold", async () => {
  await using folder = await openFolder();
  const now = Date.now();
  const clock = createTestClock(now);
  {
    using raw = openRaw(folder.file());
    for (const sql of migrations.slice(0, 7)) raw.exec(sql);
    raw.exec(`
      PRAGMA application_id = ${0x50726c79};
      PRAGMA user_version = 7;
      INSERT INTO scopes VALUES (1, 'acme', 'ada', 'travel');
      INSERT INTO counters VALUES (1, 2, 2, 0);
      INSERT INTO tasks VALUES (1, 't1', 1, 'travel', 'c', '1.0', 2, 1000, 1, 'alive', 0);
      INSERT INTO tasks VALUES (2, 't2', 1, 'travel', 'c', '1.0', 2, 2000, 1, 'dead', 0);
      INSERT INTO log VALUES (1, 1, 2, '{"kind":"cancel-requested"},{"kind":"cancel-requested"}');
      INSERT INTO log VALUES (2, 2, 1, '{"kind":"cancel-requested"}');
      INSERT INTO nodes VALUES ('alive', ${now + 60_000}), ('dead', ${now - 1}), ('other', 1);
    `);
  }
  await using store = await openSqliteStore({ path: folder.file(), clock });
  const times = async (taskId: string) => (await store.read(taskId, 0, 9)).map(({ at }) => at);
  expect([await times("t1"), await times("t2")]).toEqual([[1000, 1000], [2000]]);
  const info = { agent: "", revision: "", version: "", isDraining: false };
  expect(await store.listNodes()).toEqual([
    { ...info, node: "alive", slot: 0, leaseLeftMs: 60_000 },
    { ...info, node: "dead", slot: 1, leaseLeftMs: 0 },
    { ...info, node: "other", slot: 2, leaseLeftMs: 0 },
  ]);
  expect(await store.isLive("alive")).toBe(true);
  const claimed = await store.claimAbandoned("travel", "n1", 10);
  expect(claimed).toEqual([{ taskId: "t2", epoch: 2, sequence: 1 }]);
  await store.renewNode("n1", 1000, { agent: "travel", revision: "1", version: "2" });
  // The one that was over for more than a day is forgotten.
  const nodes = (await store.listNodes()).map(({ node, slot }) => [node, slot]);
  expect(nodes).toEqual([
    ["alive", 0],
    ["dead", 1],
    ["n1", 3],
  ]);
});
