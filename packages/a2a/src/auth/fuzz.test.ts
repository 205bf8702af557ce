import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { bearer, credentials } from "../../test/support/auth/credentials.js";
import { audience, createTokenIssuer, issuer } from "../../test/support/auth/token-issuer.js";
import { A2AError } from "../protocol/internal.js";
import type { Authenticator, Credentials } from "../protocol/internal.js";
import { apiKey } from "./schemes/api-key.js";
import { createAuthenticator } from "./authenticate/create-authenticator.js";
import { httpBasic } from "./schemes/http-basic.js";
import { httpBearer } from "./schemes/http-bearer.js";
import { introspection } from "./tokens/introspection.js";
import { jwt } from "./tokens/jwt.js";
import { createKey } from "./tokens/key-table.js";
import { mutualTls } from "./schemes/mutual-tls.js";
import { hashPassword } from "./schemes/password-hash.js";

let auth: Authenticator;
let token: string;
let key: string;

beforeAll(async () => {
  const source = await createTokenIssuer();
  token = await source.sign();
  const made = await createKey();
  key = made.key;
  const keys = [{ subject: "ada", hash: made.hash }];
  auth = createAuthenticator({
    schemes: {
      header: apiKey({ in: "header", name: "X-Key", keys }),
      query: apiKey({ in: "query", name: "key", keys }),
      cookie: apiKey({ in: "cookie", name: "key", keys }),
      basic: httpBasic({
        users: [{ username: "ada", passwordHash: await hashPassword("right", 1) }],
      }),
      jwt: httpBearer({ verify: jwt({ issuer, audience, jwks: source.jwks() }) }),
      opaque: httpBearer({
        verify: introspection({
          issuer,
          endpoint: "https://id.example/introspect",
          clientId: "a",
          clientSecret: "b",
          fetch: async () => Response.json({ active: false }),
        }),
      }),
      mtls: mutualTls({ subject: "uri", clients: { "spiffe://example.com/ada": [] } }),
    },
  });
});

/** Refused, in the one way there is. */
async function expectRefusal(given: Credentials): Promise<void> {
  const error = await auth.authenticate(given).then(
    (principal) => Promise.reject(new Error(`accepted ${JSON.stringify(principal)}`)),
    (reason: unknown) => reason,
  );
  expect(A2AError.is(error) && error.code).toBe("UNAUTHENTICATED");
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.base64String(),
  fc.stringMatching(/^[\w-]{1,40}$/),
);
const authorization = fc.oneof(
  text,
  fc
    .tuple(fc.constantFrom("Bearer", "Basic", "bearer", "Negotiate"), text)
    .map((all) => all.join(" ")),
  text.map((words) => `Basic ${btoa(encodeURIComponent(words))}`),
  fc.array(text, { minLength: 3, maxLength: 5 }).map((parts) => `Bearer ${parts.join(".")}`),
  fc.json().map((json) => `Bearer ${btoa(encodeURIComponent(json))}.e30.e30`),
);

describe("what nobody gave out", () => {
  it("is accepted nowhere, and breaks nothing", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          headers: fc.record({ authorization, "x-key": text }, { requiredKeys: [] }),
          query: fc.record({ key: text }, { requiredKeys: [] }),
          cookies: fc.record({ key: text }, { requiredKeys: [] }),
        }),
        (given) => expectRefusal(credentials(given)),
      ),
      { numRuns: 1000 },
    );
  });

  it("is accepted nowhere when it is almost right", async () => {
    const spoil = fc.record({
      at: fc.nat(),
      with: fc.constantFrom("", "A", "x", ".", "=", " ", "\u0000", "é"),
      cut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(spoil, async ({ at, with: put, cut }) => {
        const spoiled = (whole: string): string => {
          const index = at % whole.length;
          return whole.slice(0, index) + put + (cut ? whole.slice(index + 1) : whole.slice(index));
        };
        const other = spoiled(key);
        if (other !== key) await expectRefusal(credentials({ headers: { "x-key": other } }));
        const changed = spoiled(token);
        if (!isSameToken(changed, token)) await expectRefusal(bearer(changed));
      }),
      { numRuns: 500 },
    );
  });

  it("is accepted nowhere as a certificate", async () => {
    const name = fc.oneof(text, fc.constant("spiffe://example.com/ada"));
    const certificate = fc.record({
      subject: fc.record({ CN: name }),
      subjectaltname: fc
        .array(fc.tuple(fc.constantFrom("DNS:", "URI:x", 'URI:"', "email:"), name))
        .map((names) => names.map((pair) => pair.join("")).join(", ")),
      fingerprint256: text,
    });
    await fc.assert(
      fc.asyncProperty(certificate, (one) => expectRefusal(credentials({ certificate: one }))),
      { numRuns: 500 },
    );
  });
});

it("what was given out is accepted, or the tests above show nothing", async () => {
  const right: readonly Credentials[] = [
    bearer(token),
    credentials({ headers: { "x-key": key } }),
    credentials({ query: { key } }),
    credentials({ cookies: { key } }),
    credentials({ headers: { authorization: `Basic ${btoa("ada:right")}` } }),
  ];
  for (const given of right) expect(await auth.authenticate(given)).toBeDefined();
});

/** Base64 has bits to spare at its end, and spaces around a token are no part of it. */
function isSameToken(one: string, other: string): boolean {
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(one.trim())) return false;
  const bytes = (part: string): string => Buffer.from(part, "base64url").toString("hex");
  const parts = (whole: string): string => whole.trim().split(".").map(bytes).join(".");
  return parts(one) === parts(other);
}
