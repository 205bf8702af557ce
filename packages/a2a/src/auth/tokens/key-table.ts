import { invalid, known } from "../scheme.js";
import type { TokenVerifier, Verdict } from "../scheme.js";

/** A key as the server stores it: as a hash, with which nobody can call. */
export interface StoredKey {
  /** The owner of the key. */
  readonly subject: string;
  /** SHA-256 in hex, as `hashKey` makes it. */
  readonly hash: string;
  readonly scopes?: readonly string[];
  /** ISO 8601; valid forever when absent. */
  readonly expiresAt?: string;
}

/** A new key for a caller, and its hash for the server to store. */
export interface NewKey {
  readonly key: string;
  readonly hash: string;
}

const maxKeyLength = 1024;

/**
 * Creates a key of 256 random bits, which cannot be guessed, so that one SHA-256 is hash enough. It never begins with a
 * dash: command lines take such a word for an option.
 */
export async function createKey(): Promise<NewKey> {
  let key = newKey();
  while (key.startsWith("-")) key = newKey();
  return { key, hash: await hashKey(key) };
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Hashes a key that was not made by `createKey`. Such keys must be long and random; use `hashPassword` for
 * passwords.
 */
export async function hashKey(key: string): Promise<string> {
  const digest = new Uint8Array(await digestOf(key));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Verifies keys by a table of stored keys. Compares the hash of a key with all bits of all stored hashes,
 * so that the time does not reveal how close a guess is.
 */
export function keyTable(keys: readonly StoredKey[], now: () => number = Date.now): TokenVerifier {
  const table = new Uint32Array(keys.length * wordsOfHash);
  for (const [index, { hash, subject }] of keys.entries()) {
    if (!/^[\da-f]{64}$/i.test(hash))
      throw new Error(
        `the key of ${subject} has no hash that is a SHA-256 in hex; hashKey() makes one`,
      );
    const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    table.set(new Uint32Array(bytes.buffer), index * wordsOfHash);
  }
  return async (key) => {
    if (key.length > maxKeyLength) return invalid("too long");
    const index = indexOf(table, new Uint32Array(await digestOf(key)));
    const found = keys[index];
    return found === undefined ? invalid("unknown key") : verdictOn(found, now());
  };
}

const wordsOfHash = 8;

function indexOf(table: Uint32Array, digest: Uint32Array): number {
  let found = -1;
  for (let index = 0; index * wordsOfHash < table.length; index += 1) {
    let difference = 0;
    for (let word = 0; word < wordsOfHash; word += 1) {
      difference |= table[index * wordsOfHash + word]! ^ digest[word]!;
    }
    if (difference === 0) found = index;
  }
  return found;
}

function verdictOn({ subject, scopes = [], expiresAt }: StoredKey, now: number): Verdict {
  const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > now);
  return isExpired ? invalid("expired") : known({ subject, scopes });
}

function digestOf(key: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(key));
}
