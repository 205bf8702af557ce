import { describe, expect, it, vi } from "vitest";
import { credentials } from "../../../test/support/auth/credentials.js";
import { httpBasic } from "./http-basic.js";
import type { PasswordVerifier } from "./http-basic.js";
import { hashPassword, isPassword, parsePasswordHash } from "./password-hash.js";
import { invalid, known } from "../scheme.js";

function basic(username: string, password: string) {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return header(`Basic ${btoa(String.fromCharCode(...bytes))}`);
}

const header = (authorization: string) => credentials({ headers: { authorization } });

/** As cheap as it gets; what a password costs is not the point here. */
const hashed = (password: string) => hashPassword(password, 1);

describe("Basic", () => {
  it("knows users by their passwords, in any script and with colons", async () => {
    const scheme = httpBasic({
      users: [
        { username: "ada", passwordHash: await hashed("grüße: 你好"), scopes: ["read"] },
        { username: "bob", passwordHash: await hashed("other") },
      ],
    });
    expect(await scheme.check(basic("ada", "grüße: 你好"))).toEqual(
      known({ subject: "ada", scopes: ["read"] }),
    );
    // The same letters in their decomposed form.
    expect(await scheme.check(basic("ada", "gru\u0308ße: 你好"))).toMatchObject({ kind: "known" });
    expect(await scheme.check(basic("ada", "other"))).toEqual(invalid("wrong password"));
    expect(await scheme.check(basic("bob", "grüße: 你好"))).toEqual(invalid("wrong password"));
    expect(await scheme.check(basic("eve", "other"))).toEqual(invalid("unknown user"));
    expect(scheme.description).toEqual({ httpAuthSecurityScheme: { scheme: "basic" } });
    expect(scheme.challenge).toEqual({ scheme: "Basic", parameters: { charset: "UTF-8" } });
    const users = async () => invalid("nobody");
    expect(httpBasic({ users, description: "Staff" }).description).toEqual({
      httpAuthSecurityScheme: { scheme: "basic", description: "Staff" },
    });
  });

  it.each([
    ["another scheme", "Bearer YTpi", { kind: "absent" }],
    ["nothing after its name", "Basic", { kind: "absent" }],
    ["no base64", "Basic ***", invalid("not Basic")],
    ["no colon", `Basic ${btoa("ada")}`, invalid("not Basic")],
    ["no UTF-8", `Basic ${btoa("\xff:x")}`, invalid("not Basic")],
  ])("makes nothing of %s", async (...[, authorization, verdict]) => {
    const users: PasswordVerifier = async () => known({ subject: "x", scopes: [] });
    expect(await httpBasic({ users }).check(header(authorization))).toEqual(verdict);
  });

  it("asks for a password that was right only once in a while, for a wrong one every time", async () => {
    let now = 0;
    const users = vi.fn<PasswordVerifier>(async (username, password) =>
      password === "right" ? known({ subject: username, scopes: [] }) : invalid("wrong password"),
    );
    const scheme = httpBasic({ users, cacheMs: 1000, now: () => now });
    await scheme.check(basic("ada", "right"));
    await scheme.check(basic("ada", "right"));
    expect(users).toHaveBeenCalledTimes(1);
    await scheme.check(basic("ada", "wrong"));
    await scheme.check(basic("ada", "wrong"));
    expect(users).toHaveBeenCalledTimes(3);
    now = 1000;
    await scheme.check(basic("ada", "right"));
    expect(users).toHaveBeenCalledTimes(4);
  });

  it("does not let guesses pile up", async () => {
    const users = [{ username: "ada", passwordHash: await hashed("right") }];
    const scheme = httpBasic({ users });
    const guesses = await Promise.allSettled(
      Array.from({ length: 80 }, (_, index) => scheme.check(basic("ada", `guess ${index}`))),
    );
    const refused = guesses.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { code: "RESOURCE_EXHAUSTED" } });
    expect(await scheme.check(basic("ada", "right"))).toMatchObject({ kind: "known" });
  });

  it.each([
    ["guesses her password", () => "ada"],
    ["makes up names", (index: number) => `user ${index}`],
  ])("does not keep a user out while another address %s", async (_, nameOf) => {
    const users = [{ username: "ada", passwordHash: await hashPassword("right", 50_000) }];
    const scheme = httpBasic({ users });
    const done: string[] = [];
    const guesses = Array.from({ length: 500 }, (_unused, index) =>
      scheme.check({ ...basic(nameOf(index), "wrong"), address: "198.51.100.1" }).then(
        () => done.push("guess"),
        () => undefined,
      ),
    );
    const right = scheme.check({ ...basic("ada", "right"), address: "203.0.113.7" });
    expect(await right.finally(() => done.push("right"))).toMatchObject({ kind: "known" });
    await Promise.all(guesses);
    // One guess may be under way, and one may have its turn before.
    expect(done.indexOf("right")).toBeLessThanOrEqual(2);
  });

  it("needs users, with hashes of its own making", () => {
    expect(() => httpBasic({ users: [] })).toThrowError("needs at least one user");
    const users = [{ username: "ada", passwordHash: "plain" }];
    expect(() => httpBasic({ users })).toThrowError("hashPassword() makes one");
  });
});

it("every byte of a password's hash counts", async () => {
  const right = parsePasswordHash(await hashed("p"));
  expect(await isPassword("p", right)).toBe(true);
  for (const index of right.hash.keys()) {
    const hash = right.hash.map((byte, at) => (at === index ? byte ^ 1 : byte));
    expect(await isPassword("p", { ...right, hash })).toBe(false);
  }
});

it.each([
  ["another algorithm", (hash: string) => hash.replace("pbkdf2", "scrypt")],
  ["no iterations", (hash: string) => hash.replace("$1$", "$0$")],
  ["half a hash", (hash: string) => hash.replace(/.{22}$/, "")],
])("a password hash with %s is none", async (_, spoil) => {
  const hash = await hashed("p");
  expect(() => parsePasswordHash(hash)).not.toThrow();
  expect(() => parsePasswordHash(spoil(hash))).toThrowError();
});

it("a password hash has its own salt and its cost, and costs as much as is advised", async () => {
  const [one, two] = await Promise.all([hashed("p"), hashed("p")]);
  expect(one).not.toBe(two);
  const { iterations } = parsePasswordHash(await hashPassword("p"));
  expect(iterations).toBeGreaterThanOrEqual(600_000);
});
