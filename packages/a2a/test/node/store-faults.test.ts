import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import type { SqliteStoreOptions } from "@parley/a2a/store/sqlite";
import { openFolder } from "../support/files/open-folder.js";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const scriptOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Answers every message with a task that waits, so that nothing but the caller is at work. */
const keeper = agent({
  name: "Keeper",
  description: "Keeps what it gets",
  run: () => ({ inputRequired: "And now?" }),
});

/** A server over a file, what was reported, and which tasks were acknowledged. */
async function openKeeper(path: string, options: Partial<SqliteStoreOptions> = {}) {
  const reports: string[] = [];
  const report = (error: unknown) => void reports.push(String(error));
  const store = await openSqliteStore({ path, report, ...options });
  const server = await openServer({ agent: keeper, store, report });
  const acknowledged: string[] = [];
  return {
    reports,
    acknowledged,
    /** Sends a message of so many characters. Answers "ok", or the error. */
    async keep(length = 100): Promise<unknown> {
      const message = rpc("SendMessage", say("x".repeat(length)));
      const { result, error } = jsonOf(await send(server.url, "POST /", message));
      if (error !== undefined) return error;
      acknowledged.push(result.task.id as string);
      return "ok";
    },
    async get(id: string): Promise<unknown> {
      const { result, error } = jsonOf(await send(server.url, "POST /", rpc("GetTask", { id })));
      return error ?? result;
    },
    /** The same in REST. Answers the status and the body. */
    async keepOverRest(length: number): Promise<unknown> {
      const headers = { "A2A-Version": "1.0" };
      const json = say("x".repeat(length));
      const answer = await send(server.url, "POST /message:send", { headers, json });
      return { status: answer.status, ...jsonOf(answer) };
    },
    async ready(): Promise<string> {
      const { status, text } = await send(server.url, "GET /readyz");
      const { status: said, reasons } = JSON.parse(text) as {
        status: string;
        reasons?: { store?: string };
      };
      return `${status} ${reasons?.store ?? said}`;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await store.close();
    },
  };
}

const ready = "200 ready";
const notThere = "the store of this server does not work at present; try again later";
/** What a caller of JSON-RPC is told: nothing of the file. */
const unavailable = {
  code: -32603,
  message: notThere,
  data: expect.arrayContaining([expect.objectContaining({ reason: "UNAVAILABLE" })]) as unknown,
};
const faultOf = (path: string, what: string) =>
  expect.stringContaining(`the store ${path} does not work: ${what}`) as unknown;
const endOf = (path: string) => `Error: the store ${path} works again`;

/** A file system of its own, of so many bytes; `undefined` where this user may mount none. */
async function mountDisk(folder: string, bytes: number) {
  const path = join(folder, "disk");
  await mkdir(path);
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path]);
  if (status !== 0) return undefined;
  return { path, [Symbol.dispose]: () => void spawnSync("umount", ["-l", path]) };
}

/** Another process that holds the right to write to a file. */
async function lock(path: string) {
  const args = [scriptOf("./hold-lock.mjs"), path];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return {
    async release() {
      child.stdin.write("go\n");
      await once(child, "close");
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** Overwrites a part of a file in its place, and can put back what was there. */
async function damage(path: string, from: number, length: number) {
  await using file = await open(path, "r+");
  const before = Buffer.alloc(length);
  await file.read(before, 0, length, from);
  await file.write(Buffer.alloc(length, 0x5a), 0, length, from);
  return {
    async repair() {
      await using again = await open(path, "r+");
      await again.write(before, 0, length, from);
    },
  };
}

async function expectAllStored(path: string, ids: readonly string[]): Promise<void> {
  await using store = await openSqliteStore({ path });
  for (const id of ids) expect((await store.loadRecord(id))?.taskId).toBe(id);
}

describe("a disk that is full", () => {
  it("is told once, shown to balancers, and over when there is room", async ({ skip }) => {
    await using folder = await openFolder();
    using disk = await mountDisk(folder.path, 2 * 1024 * 1024);
    if (disk === undefined) return skip("this user may mount nothing");
    const ballast = join(disk.path, "ballast");
    await writeFile(ballast, Buffer.alloc(1024 * 1024));
    const path = join(disk.path, "parley.db");
    const acknowledged: string[] = [];
    {
      await using server = await openKeeper(path);
      const outcomes: unknown[] = [];
      for (let count = 0; count < 30; count += 1) outcomes.push(await server.keep(100_000));
      expect(outcomes.filter((outcome) => outcome !== "ok").length).toBeGreaterThan(20);
      expect(outcomes.at(-1)).toEqual(unavailable);
      expect(await server.keepOverRest(100_000)).toMatchObject({
        status: 503,
        error: { status: "UNAVAILABLE", message: notThere },
      });
      expect(server.reports).toEqual([faultOf(path, "the disk is full; free some space")]);
      expect(await server.ready()).toBe("503 the store does not work: the disk is full");
      await rm(ballast);
      await expect.poll(() => server.ready()).toBe(ready);
      expect(await server.keep(100_000)).toBe("ok");
      expect(server.reports.slice(1)).toEqual([endOf(path)]);
      acknowledged.push(...server.acknowledged);
    }
    await expectAllStored(path, acknowledged);
  });

  it("is told as what it is where the file may not grow", async () => {
    await using folder = await openFolder();
    const path = folder.file();
    // A kilobyte is the unit of the shell's limit.
    const run = `ulimit -f 400; exec "${process.execPath}" "${scriptOf("./fill-file.mjs")}" "${path}"`;
    const { stdout, status } = spawnSync("bash", ["-c", run], { encoding: "utf8" });
    expect(status).toBe(0);
    const { acknowledged, codes, reports, problem } = JSON.parse(stdout) as {
      readonly acknowledged: string[];
      readonly codes: string[];
      readonly reports: string[];
      readonly problem: string;
    };
    expect(codes).toEqual(["UNAVAILABLE"]);
    expect(reports).toEqual([faultOf(path, "")]);
    expect(problem).toMatch(/^the store does not work: the disk /);
    expect(acknowledged.length).toBeGreaterThan(0);
    await expectAllStored(path, acknowledged);
  });
});

describe("a file", () => {
  it("that another program has locked is told once, and over when that lets go", async () => {
    await using folder = await openFolder();
    const path = folder.file();
    await using server = await openKeeper(path, { busyTimeoutMs: 50 });
    expect(await server.keep()).toBe("ok");
    using other = await lock(path);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => server.keep()));
    expect(outcomes).toEqual(outcomes.map(() => unavailable));
    expect(server.reports).toEqual([faultOf(path, "another program has locked it")]);
    expect(await server.ready()).toBe("503 the store does not work: another program has locked it");
    // What is there can be read.
    expect(await server.get(server.acknowledged[0] ?? "")).toMatchObject({ history: [{}] });
    await other.release();
    await expect.poll(() => server.ready()).toBe(ready);
    expect(await server.keep()).toBe("ok");
    expect(server.reports.slice(1)).toEqual([endOf(path)]);
  });

  it("that is damaged in its middle is told once, and over when it is mended", async () => {
    await using folder = await openFolder();
    const path = folder.file();
    const ids: string[] = [];
    {
      await using server = await openKeeper(path);
      for (let count = 0; count < 40; count += 1) await server.keep(20_000);
      ids.push(...server.acknowledged);
    }
    const { size } = await stat(path);
    await using server = await openKeeper(path);
    const damaged = await damage(path, 64 * 1024, size - 128 * 1024);
    const outcomes = await Promise.all(ids.map((id) => server.get(id)));
    expect(outcomes.filter((outcome) => "code" in Object(outcome)).length).toBeGreaterThan(10);
    expect(outcomes).toContainEqual(unavailable);
    expect(server.reports).toEqual([faultOf(path, "it is damaged; restore a backup")]);
    expect(await server.ready()).toBe("503 the store does not work: it is damaged");
    await damaged.repair();
    await expect.poll(() => server.ready()).toBe(ready);
    for (const id of ids) expect(await server.get(id)).toMatchObject({ id });
    expect(server.reports.slice(1)).toEqual([endOf(path)]);
  });

  const isRoot = process.getuid?.() === 0;

  it.skipIf(!isRoot)("that this user may only read is refused, and so is a folder", async () => {
    await using folder = await openFolder();
    await chmod(folder.path, 0o755);
    const path = folder.file();
    await (await openSqliteStore({ path })).close();
    await chmod(path, 0o644);
    const place = join(folder.path, "closed", "parley.db");
    await mkdir(join(folder.path, "closed"), { mode: 0o755 });
    for (const file of [path, place]) {
      const args = [scriptOf("./open-store-as.mjs"), file, "65534", "022"];
      const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect(stdout).toBe(
        `UNAVAILABLE: cannot open the store ${file}: this user may not write there; allow it to write to the file and to its folder, or choose another path\n`,
      );
    }
  });

  it.skipIf(process.platform === "win32").each(["000", "022", "077", "777"])(
    "is its owner's alone, with all that SQLite keeps beside it, under the umask %s",
    async (umask) => {
      await using folder = await openFolder();
      const path = folder.file();
      const args = [scriptOf("./open-store-as.mjs"), path, "", umask];
      const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect(stdout).toBe("opened\n");
      const modes = new Map<string, string>();
      for (const name of await readdir(folder.path)) {
        modes.set(name, ((await stat(folder.file(name))).mode & 0o777).toString(8));
      }
      for (const name of ["parley.db", "parley.db-wal", "parley.db-shm"]) {
        expect([name, modes.get(name)]).toEqual([name, "600"]);
      }
    },
  );
});

describe.skipIf(process.platform !== "linux")("a path where nothing is kept", () => {
  const ofSystem = (folder: string) => `${folder} shows the state of the system and keeps no files`;

  it.each([
    ["/proc/self/x.db", ofSystem("/proc/self")],
    ["/proc/deep/er/x.db", ofSystem("/proc")],
    ["/sys/x.db", ofSystem("/sys")],
    ["/sys/kernel/no/x.db", ofSystem("/sys/kernel")],
    ["/dev/null", "it is a device or a pipe, not a file"],
    ["/dev/zero", "it is a device or a pipe, not a file"],
  ])("is refused at once: %s", async (path, reason) => {
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: `cannot open the store ${path}: ${reason}; choose another path`,
    });
  });

  it("is refused at once: a pipe", async () => {
    await using folder = await openFolder();
    const path = folder.file("pipe");
    spawnSync("mkfifo", [path]);
    await expect(openSqliteStore({ path })).rejects.toThrow(
      `cannot open the store ${path}: it is a device or a pipe, not a file; choose another path`,
    );
  });
});
