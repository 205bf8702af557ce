import { describe, expect, it } from "vitest";
import { credentials } from "../../../test/support/auth/credentials.js";
import { apiKey } from "./api-key.js";
import { createKey, hashKey, keyTable } from "../tokens/key-table.js";

describe("an API key", () => {
  it.each([
    ["header", { headers: { "x-api-key": "secret" } }],
    ["query", { query: { "X-API-Key": "secret" } }],
    ["cookie", { cookies: { "X-API-Key": "secret" } }],
  ] as const)("is looked for in the %s, and nowhere else", async (location, given) => {
    const keys = [{ subject: "ada", hash: await hashKey("secret"), scopes: ["read"] }];
    const scheme = apiKey({ in: location, name: "X-API-Key", keys });
    const everywhere = {
      headers: { "x-api-key": "secret" },
      query: { "X-API-Key": "secret" },
      cookies: { "X-API-Key": "secret" },
    };
    const elsewhere = {
      ...everywhere,
      ...{ header: { headers: {} }, query: { query: {} }, cookie: { cookies: {} } }[location],
    };
    expect(await scheme.check(credentials(given))).toEqual({
      kind: "known",
      identity: { subject: "ada", scopes: ["read"] },
    });
    expect(await scheme.check(credentials(elsewhere))).toEqual({ kind: "absent" });
    expect(scheme.description).toEqual({
      apiKeySecurityScheme: { location, name: "X-API-Key" },
    });
    expect(scheme.challenge).toEqual({
      scheme: "ApiKey",
      parameters: { in: location, name: "X-API-Key" },
    });
  });

  it("may be known to a function", async () => {
    const scheme = apiKey({
      in: "header",
      name: "k",
      keys: async (key) => ({ kind: "known", identity: { subject: key, scopes: [] } }),
    });
    expect(await scheme.check(credentials({ headers: { k: "x" } }))).toMatchObject({
      identity: { subject: "x" },
    });
  });
});

describe("a table of keys", () => {
  it("has the hash of a key that was made for it", async () => {
    const { key, hash } = await createKey();
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(hash).toMatch(/^[\da-f]{64}$/);
    expect((await createKey()).key).not.toBe(key);
    expect(await keyTable([{ subject: "ada", hash }])(key)).toMatchObject({ kind: "known" });
  });

  it("makes no key that a command line takes for an option", async () => {
    const made = await Promise.all(Array.from({ length: 1000 }, createKey));
    expect(made.filter(({ key }) => key.startsWith("-"))).toEqual([]);
  });

  it("tells every owner by its key, and knows no other key", async () => {
    const names = ["ada", "bob", "carol"];
    const keys = await Promise.all(
      names.map(async (subject) => ({ subject, hash: await hashKey(`key of ${subject}`) })),
    );
    const verify = keyTable(keys);
    for (const subject of names) {
      const verdict = await verify(`key of ${subject}`);
      expect(verdict).toEqual({ kind: "known", identity: { subject, scopes: [] } });
    }
    for (const wrong of ["", "key of", "key of dave", "key of ada ", keys[0]!.hash]) {
      expect(await verify(wrong)).toEqual({ kind: "invalid", reason: "unknown key" });
    }
    expect(await keyTable([])("")).toMatchObject({ kind: "invalid" });
    expect(await verify("x".repeat(1025))).toEqual({ kind: "invalid", reason: "too long" });
  });

  it("looks at every bit of a hash", async () => {
    const hash = await hashKey("k");
    for (let index = 0; index < hash.length; index += 1) {
      const other = (Number.parseInt(hash[index]!, 16) ^ 1).toString(16);
      const changed = hash.slice(0, index) + other + hash.slice(index + 1);
      expect(await keyTable([{ subject: "ada", hash: changed }])("k")).toMatchObject({
        kind: "invalid",
      });
    }
  });

  it("has keys that expire", async () => {
    const expiresAt = "2030-01-01T00:00:00Z";
    let now = Date.parse(expiresAt) - 1;
    const verify = keyTable([{ subject: "ada", hash: await hashKey("k"), expiresAt }], () => now);
    expect(await verify("k")).toMatchObject({ kind: "known" });
    now += 1;
    expect(await verify("k")).toEqual({ kind: "invalid", reason: "expired" });
    const unreadable = keyTable([{ subject: "ada", hash: await hashKey("k"), expiresAt: "soon" }]);
    expect(await unreadable("k")).toEqual({ kind: "invalid", reason: "expired" });
  });

  it("takes nothing but hashes", () => {
    expect(() => keyTable([{ subject: "ada", hash: "the key itself" }])).toThrowError(
      "the key of ada has no hash that is a SHA-256 in hex",
    );
  });
});
