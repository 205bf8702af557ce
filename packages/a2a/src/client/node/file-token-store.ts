import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredTokens, TokenStore } from "../oauth/token-store.js";

interface Contents {
  readonly [key: string]: StoredTokens;
}

const lockRetryMs = 25;

/**
 * The holder of a lock touches it this often; a lock that was not touched for long belongs to a dead
 * process.
 */
const lockBeatMs = 2000;
const lockStaleMs = 10_000;

/**
 * Keeps tokens in a file that only its owner can read. Several processes can share the file: it is replaced
 * as a whole, and one process at a time refreshes tokens.
 */
export function createFileTokenStore(path: string): TokenStore {
  const read = async (): Promise<Contents> => {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "{}";
      throw error;
    });
    return JSON.parse(text) as Contents;
  };
  const change = (edit: (contents: Contents) => Contents): Promise<void> =>
    withLock(`${path}.lock`, async () => replace(path, JSON.stringify(edit(await read()))));
  return {
    load: async (key) => (await read())[key],
    save: (key, tokens) => change((contents) => ({ ...contents, [key]: tokens })),
    delete: (key) =>
      change((contents) =>
        Object.fromEntries(Object.entries(contents).filter(([one]) => one !== key)),
      ),
    exclusive: (_, work) => withLock(`${path}.refresh.lock`, work),
  };
}

async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  while (!(await take(path))) await sleep(lockRetryMs);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, lockBeatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const modified = await stat(path).catch(() => undefined);
    if (modified !== undefined && Date.now() - modified.mtimeMs > lockStaleMs) {
      // Of the processes that find the lock stale, only one succeeds in renaming it.
      const stale = `${path}.${randomUUID()}`;
      await rename(path, stale).catch(() => undefined);
      await rm(stale, { force: true });
    }
    return false;
  }
}
