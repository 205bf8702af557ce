import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, vi } from "vitest";
import { audience, createTokenIssuer, issuer } from "../../../test/support/auth/token-issuer.js";
import type { Fetch } from "./issuer-fetch.js";
import { jwt } from "./jwt.js";
import { invalid, known } from "../scheme.js";

const seconds = (): number => Math.floor(Date.now() / 1000);

const answer = (body: object, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });

describe("a JSON Web Token", () => {
  it("names its subject, with the scopes and the claims that are asked for", async () => {
    const source = await createTokenIssuer();
    const verify = jwt({ issuer, audience, jwks: source.jwks(), claims: ["email", "groups"] });
    const claims = { scope: "read write", email: "ada@example.com", secret: "hidden" };
    expect(await verify(await source.sign(claims))).toEqual(
      known({
        issuer,
        subject: "ada",
        scopes: ["read", "write"],
        claims: { email: "ada@example.com" },
      }),
    );
    for (const scp of [["read", "write", "", 7], "read  write "]) {
      const verdict = await verify(await source.sign({ scp }));
      expect(verdict).toEqual(known({ issuer, subject: "ada", scopes: ["read", "write"] }));
    }
  });

  it.each([
    ["of another issuer", { iss: "https://evil.example" }, "another issuer"],
    [
      "for another audience",
      { aud: "https://other.example" },
      "ERR_JWT_CLAIM_VALIDATION_FAILED aud",
    ],
    ["without an audience", { aud: undefined }, "ERR_JWT_CLAIM_VALIDATION_FAILED aud"],
    ["that is over", { exp: seconds() - 60 }, "ERR_JWT_EXPIRED"],
    ["that has not begun", { nbf: seconds() + 600 }, "ERR_JWT_CLAIM_VALIDATION_FAILED nbf"],
    ["that never ends", { exp: undefined }, "ERR_JWT_CLAIM_VALIDATION_FAILED exp"],
    ["of nobody", { sub: undefined }, "ERR_JWT_CLAIM_VALIDATION_FAILED sub"],
    ["of someone without a name", { sub: "" }, "no subject"],
    ["that is bound to a key", { cnf: { jkt: "x" } }, "bound to a key"],
    ["that is of tomorrow", { iat: seconds() + 86_400 }, "issued in the future"],
    ["that is of an hour from now", { iat: seconds() + 3600 }, "issued in the future"],
    ["that is of no time", { iat: "now" }, "ERR_JWT_CLAIM_VALIDATION_FAILED iat"],
  ])("%s is not valid", async (...[, claims, reason]) => {
    const source = await createTokenIssuer();
    const verify = jwt({ issuer, audience, jwks: source.jwks() });
    expect(await verify(await source.sign(claims as never))).toEqual(invalid(reason));
  });

  it("may be off by the skew of a clock, and no more", async () => {
    const source = await createTokenIssuer();
    let now = Date.now();
    const options = { issuer, audience, jwks: source.jwks(), clockSkewSeconds: 10 };
    const verify = jwt({ ...options, now: () => now });
    const token = await source.sign({ exp: Math.floor(now / 1000) });
    now += 5000;
    expect(await verify(token)).toMatchObject({ kind: "known" });
    now += 10_000;
    expect(await verify(token)).toEqual(invalid("ERR_JWT_EXPIRED"));
    const early = await source.sign({
      iat: Math.floor(now / 1000) + 5,
      exp: Math.floor(now / 1000) + 60,
    });
    expect(await verify(early)).toMatchObject({ kind: "known" });
    now -= 10_000;
    expect(await verify(early)).toEqual(invalid("issued in the future"));
  });

  it("is of the type that is asked for", async () => {
    const source = await createTokenIssuer();
    const verify = jwt({ issuer, audience, jwks: source.jwks(), type: "at+jwt" });
    expect(await verify(await source.sign({}, { typ: "at+jwt" }))).toMatchObject({ kind: "known" });
    expect(await verify(await source.sign({}, { typ: "JWT" }))).toMatchObject({ kind: "invalid" });
  });

  it.each(["", "a", "a.b", "a.b.c", "e30.e30.", "..", "ä.ö.ü"])("is not %j", async (token) => {
    const source = await createTokenIssuer();
    const verify = jwt({ issuer, audience, jwks: source.jwks() });
    expect(await verify(token)).toMatchObject({ kind: "invalid" });
  });
});

describe("the algorithm", () => {
  it("is never none, and never a secret where keys are public", async () => {
    const source = await createTokenIssuer();
    const jwks = source.jwks();
    const verify = jwt({ issuer, audience, jwks });
    const claims = { iss: issuer, aud: audience, sub: "ada", exp: seconds() + 600 };
    expect(await verify(new UnsecuredJWT(claims).encode())).toMatchObject({ kind: "invalid" });
    // The public key, which everyone knows, taken for a shared secret.
    const secret = new TextEncoder().encode(JSON.stringify(jwks.keys[0]));
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await verify(confused)).toEqual(invalid("ERR_JOSE_ALG_NOT_ALLOWED"));
  });

  it("is one of those that are allowed", async () => {
    const source = await createTokenIssuer();
    const token = await source.sign();
    const options = { issuer, audience, jwks: source.jwks() };
    expect(await jwt({ ...options, algorithms: ["ES256"] })(token)).toMatchObject({
      kind: "known",
    });
    expect(await jwt({ ...options, algorithms: ["RS256"] })(token)).toEqual(
      invalid("ERR_JOSE_ALG_NOT_ALLOWED"),
    );
  });

  it("goes with the kind of key, or the server does not start", async () => {
    const secret = new Uint8Array(32);
    expect(() => jwt({ issuer, audience, secret })).toThrowError("algorithms such as HS256");
    expect(() => jwt({ issuer, audience, algorithms: ["HS256"] })).toThrowError("public keys");
    expect(() => jwt({ issuer, audience, algorithms: ["none"] })).toThrowError("public keys");
    const mixed = ["ES256", "HS256"];
    expect(() => jwt({ issuer, audience, algorithms: mixed })).toThrowError("public keys");
    expect(() => jwt({ issuer, audience, secret, algorithms: mixed })).toThrowError("HS256");
    const verify = jwt({ issuer, audience, secret, algorithms: ["HS256"] });
    const claims = { iss: issuer, aud: audience, sub: "ada", exp: seconds() + 600 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await verify(token)).toMatchObject({ kind: "known" });
  });

  it("does not make a key of another believed", async () => {
    const source = await createTokenIssuer();
    const verify = jwt({ issuer, audience, jwks: source.jwks() });
    const { privateKey } = await generateKeyPair("ES256");
    const claims = { iss: issuer, aud: audience, sub: "ada", exp: seconds() + 600 };
    const header = { alg: "ES256", kid: "key 1" };
    const forged = await new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
    expect(await verify(forged)).toEqual(invalid("ERR_JWS_SIGNATURE_VERIFICATION_FAILED"));
  });
});

describe("keys of an issuer", () => {
  const jwksUri = "https://id.example/keys";

  it("are fetched once, and again for a key that is not among them", async () => {
    const source = await createTokenIssuer();
    const fetch = vi.fn<Fetch>(async () => answer(source.jwks()));
    const verify = jwt({ issuer, audience, jwksUri, fetch, jwksCooldownMs: 0 });
    expect(fetch).not.toHaveBeenCalled();
    const before = await source.sign();
    await verify(before);
    await verify(before);
    expect(fetch).toHaveBeenCalledTimes(1);
    await source.rotate();
    expect(await verify(await source.sign())).toMatchObject({ kind: "known" });
    expect(await verify(before)).toMatchObject({ kind: "known" });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("are not fetched for every unknown key, nor for tokens of other issuers", async () => {
    const source = await createTokenIssuer();
    const fetch = vi.fn<Fetch>(async () => answer(source.jwks()));
    const verify = jwt({ issuer, audience, jwksUri, fetch });
    await verify(await source.sign({ iss: "https://evil.example" }));
    expect(fetch).not.toHaveBeenCalled();
    for (let count = 0; count < 5; count += 1) {
      const forged = await source.sign({}, { kid: `made up ${count}` });
      expect(await verify(forged)).toEqual(invalid("ERR_JWKS_NO_MATCHING_KEY"));
    }
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it("that cannot be had make nobody a liar: the caller is told to come back", async () => {
    const source = await createTokenIssuer();
    let now = Date.now();
    const failures: (() => Response | Promise<Response>)[] = [
      () => Promise.reject(new TypeError("fetch failed")),
      () => answer({}, 503),
      () => answer({ keys: "none" }),
      () => new Response("<html>"),
    ];
    const fetch = vi.fn<Fetch>(async () => failures.shift()?.() ?? answer(source.jwks()));
    const verify = jwt({ issuer, audience, jwksUri, fetch, now: () => now });
    const token = await source.sign();
    const unavailable = { code: "UNAVAILABLE", details: { retryAfterSeconds: 5 } };
    await expect(verify(token)).rejects.toMatchObject(unavailable);
    // For a moment the issuer is left in peace.
    await expect(verify(token)).rejects.toMatchObject(unavailable);
    expect(fetch).toHaveBeenCalledTimes(1);
    for (let count = 0; count < 3; count += 1) {
      now += 1000;
      await expect(verify(token)).rejects.toMatchObject(unavailable);
    }
    now += 1000;
    expect(await verify(token)).toMatchObject({ kind: "known" });
  });
});

it.each<[string, Fetch]>([
  ["does not answer", () => Promise.reject(new TypeError("fetch failed"))],
  ["says that it is broken", async () => answer({}, 500)],
])("an issuer that %s is left in peace for a second", async (_, failing) => {
  const source = await createTokenIssuer();
  let now = Date.now();
  const fetch = vi.fn<Fetch>(failing);
  const jwksUri = "https://id.example/keys";
  const verify = jwt({ issuer, audience, jwksUri, fetch, now: () => now });
  const token = await source.sign();
  const counts: number[] = [];
  for (const passedMs of [0, 0, 999, 1]) {
    now += passedMs;
    await expect(verify(token)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    counts.push(fetch.mock.calls.length);
  }
  expect(counts).toEqual([1, 1, 1, 2]);
});

describe("discovery", () => {
  const metadata = { issuer, jwks_uri: "https://id.example/keys" };

  function issuerWith(documents: Readonly<Record<string, object>>) {
    return vi.fn<Fetch>(async (url) => {
      const found = documents[url];
      return found === undefined ? answer({}, 404) : answer(found);
    });
  }

  it.each(["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"])(
    "finds the keys by %s, once",
    async (path) => {
      const source = await createTokenIssuer();
      const documents = {
        [`${issuer}${path}`]: metadata,
        [metadata.jwks_uri]: source.jwks(),
      };
      const fetch = issuerWith(documents);
      const verify = jwt({ issuer, audience, fetch });
      expect(await verify(await source.sign())).toMatchObject({ kind: "known" });
      const count = fetch.mock.calls.length;
      await verify(await source.sign());
      expect(fetch).toHaveBeenCalledTimes(count);
    },
  );

  it.each([
    ["is of another issuer", { ...metadata, issuer: "https://evil.example" }],
    ["names no keys", { issuer }],
    ["leads to keys over plain HTTP", { issuer, jwks_uri: "http://id.example/keys" }],
  ])("believes no document that %s", async (_, document) => {
    const source = await createTokenIssuer();
    const fetch = issuerWith({ [`${issuer}/.well-known/openid-configuration`]: document });
    const verify = jwt({ issuer, audience, fetch });
    await expect(verify(await source.sign())).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("is tried again after it has failed", async () => {
    const source = await createTokenIssuer();
    let now = Date.now();
    const documents: Record<string, object> = { [metadata.jwks_uri]: source.jwks() };
    const verify = jwt({ issuer, audience, fetch: issuerWith(documents), now: () => now });
    await expect(verify(await source.sign())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    documents[`${issuer}/.well-known/openid-configuration`] = metadata;
    now += 1000;
    expect(await verify(await source.sign())).toMatchObject({ kind: "known" });
  });
});

it("an issuer with a fragment is none: subjects are told apart by it", () => {
  expect(() => jwt({ issuer: "https://id.example#x", audience })).toThrowError("fragment");
});
