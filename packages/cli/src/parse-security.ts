import { readFile } from "node:fs/promises";
import { hashKey } from "@parley/a2a/auth";
import type { StoredKey } from "@parley/a2a/auth";
import { trustProxies } from "@parley/a2a/node";
import { parseSealKey } from "@parley/a2a/store";
import type { SealKey } from "@parley/a2a/store";
import { UsageError } from "./usage-error.js";

const hint = "parley help serve";

/** The test of which proxies are trusted; `undefined` when none is. */
export function parseProxies(
  proxies: readonly string[],
): ((address: string) => boolean) | undefined {
  if (proxies.length === 0) return undefined;
  try {
    return trustProxies(proxies);
  } catch (cause) {
    throw new UsageError(`--trust-proxy: ${reasonOf(cause)}`, { hint, cause });
  }
}

/**
 * Parses keys in the form `ID:BASE64`, separated by commas. An error names the position of a key, never the
 * key.
 */
export function parseSecretKeys(text: string | undefined): readonly SealKey[] | undefined {
  if (text === undefined || text === "") return undefined;
  return text.split(",").map((pair, index) => {
    const [, id, key] = /^\s*([^:]*):(.*)$/s.exec(pair) ?? [];
    try {
      if (id === undefined || key === undefined) throw new Error("expected ID:BASE64");
      return parseSealKey(id, key);
    } catch (cause) {
      throw new UsageError(`PARLEY_SECRET_KEYS, key ${index + 1}: ${reasonOf(cause)}`, {
        hint,
        cause,
      });
    }
  });
}

/** The header in which callers show the key of PARLEY_API_KEY. */
export const keyHeader = "X-API-Key";

const minKeyLength = 20;

/** The key that callers have to show, as servers keep it; `undefined` when there is none. An error never shows the key. */
export async function parseApiKey(key: string | undefined): Promise<StoredKey | undefined> {
  if (key === undefined || key === "") return undefined;
  if (!/^[!-~]+$/.test(key) || key.length < minKeyLength) {
    const form = `at least ${minKeyLength} random letters, digits and signs, without spaces`;
    throw new UsageError(`PARLEY_API_KEY must be ${form}`, { hint });
  }
  return { subject: "demo", hash: await hashKey(key) };
}

/** Reads the certificate and the key for TLS; `undefined` when neither path is given. */
export async function readCertificate(
  certificate: string | undefined,
  key: string | undefined,
): Promise<{ readonly cert: Buffer; readonly key: Buffer } | undefined> {
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    throw new UsageError("--tls-cert and --tls-key go together; give both or neither", { hint });
  }
  return {
    cert: await readNamed("--tls-cert", certificate),
    key: await readNamed("--tls-key", key),
  };
}

async function readNamed(option: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    // Node's messages end with the system call, and some with the path, which is in our message already.
    const [reason] = reasonOf(cause).split(", ");
    throw new UsageError(`${option}: cannot read ${path} (${reason})`, { hint, cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
