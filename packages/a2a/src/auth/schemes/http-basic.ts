import { addressGroup } from "../limits/address-group.js";
import { authorizationOf } from "./authorization-header.js";
import { FairLine } from "./fair-line.js";
import { ExpiringCache } from "../tokens/expiring-cache.js";
import { hashKey } from "../tokens/key-table.js";
import { isPassword, parsePasswordHash } from "./password-hash.js";
import { absent, invalid, known } from "../scheme.js";
import type { Scheme, Verdict } from "../scheme.js";

/** A user as the server keeps it: by the hash of the password. */
export interface StoredUser {
  readonly username: string;
  /** As `hashPassword` makes it. */
  readonly passwordHash: string;
  readonly scopes?: readonly string[];
}

export interface HttpBasicOptions {
  /** The users, or a verifier of passwords. */
  readonly users: readonly StoredUser[] | PasswordVerifier;
  /** How long a correct password is remembered, so that it is not hashed again; 60 s when absent. */
  readonly cacheMs?: number;
  readonly description?: string;
  readonly now?: () => number;
}

/** Checks a password; the verdict is never `absent`. */
export type PasswordVerifier = (username: string, password: string) => Promise<Verdict>;

/** A scheme with a user name and a password in `Authorization: Basic` (RFC 7617). */
export function httpBasic(options: HttpBasicOptions): Scheme {
  const { users, cacheMs = 60_000, description, now = Date.now } = options;
  const verify: Verify = typeof users === "function" ? users : verifierOf(users);
  const right = new ExpiringCache<Verdict>(1000, now);
  return {
    description: {
      httpAuthSecurityScheme: {
        scheme: "basic",
        ...(description !== undefined && { description }),
      },
    },
    challenge: { scheme: "Basic", parameters: { charset: "UTF-8" } },
    async check(credentials) {
      const encoded = authorizationOf(credentials, "Basic");
      if (encoded === undefined) return absent;
      const [username, password] = decode(encoded) ?? [];
      if (username === undefined || password === undefined) return invalid("not Basic");
      // Hashing a password is slow by design, too slow for every request.
      const key = await hashKey(`${salt} ${encoded}`);
      const kept = right.get(key);
      if (kept !== undefined) return kept;
      const verdict = await verify(username, password, credentials.address);
      // A verifier may give anything; whoever gets it from here looks at it.
      const { kind } = (verdict as Verdict | undefined) ?? {};
      if (kind === "known") right.set(key, verdict, now() + cacheMs);
      return verdict;
    },
  };
}

/** Random for each process, so that the hashes in memory cannot be looked up in a table. */
const salt = crypto.randomUUID();

function decode(encoded: string): readonly [username: string, password: string] | undefined {
  try {
    const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const index = text.indexOf(":");
    return index === -1 ? undefined : [text.slice(0, index), text.slice(index + 1)];
  } catch {
    return undefined;
  }
}

/** Checks a password of a caller whose address may be known. */
type Verify = (username: string, password: string, address: string | undefined) => Promise<Verdict>;

function verifierOf(users: readonly StoredUser[]): Verify {
  const byName = new Map(
    users.map((user) => [user.username, { ...user, hash: parsePasswordHash(user.passwordHash) }]),
  );
  const [first] = byName.values();
  if (first === undefined) throw new Error("httpBasic needs at least one user");
  // One password at a time, so that guessing does not take all threads.
  const line = new FairLine();
  return async (username, password, address) => {
    const user = byName.get(username);
    const asker = { address: address === undefined ? "" : addressGroup(address), user: username };
    // An unknown name takes as long as a known one, so that the time does not reveal names.
    const isRight = await line.run(asker, () => isPassword(password, (user ?? first).hash));
    if (user === undefined) return invalid("unknown user");
    if (!isRight) return invalid("wrong password");
    return known({ subject: username, scopes: user.scopes ?? [] });
  };
}
