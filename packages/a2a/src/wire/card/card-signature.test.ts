import fc from "fast-check";
import { base64url, exportJWK, FlattenedSign, generateKeyPair } from "jose";
import type { GenerateKeyPairResult, JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { currentCard } from "../../../test/fixtures/agent-cards.js";
import { verifies } from "../../../test/spec/verifies.js";
import { agentCards } from "../../../test/support/arbitraries/agent-cards.js";
import type { JsonObject } from "../../protocol/internal.js";
import { encodeCardForm } from "../card-forms.js";
import { asJson } from "../members/as-json.js";
import { canonicalForms, canonicalizeAgentCard } from "./card-canonical.js";
import type { CanonicalForm } from "./card-canonical.js";
import {
  addSignature,
  signAgentCard,
  signatureAlgorithms,
  verifyAgentCard,
} from "./card-signature.js";
import type {
  CardKey,
  CardVerification,
  SignatureAlgorithm,
  VerifyAgentCardOptions,
} from "./card-signature.js";

let pair: GenerateKeyPairResult;
let other: GenerateKeyPairResult;
let publicJwk: JWK;

beforeAll(async () => {
  pair = await generateKeyPair("ES256", { extractable: true });
  other = await generateKeyPair("ES256");
  publicJwk = await exportJWK(pair.publicKey);
});

/** The card differs between the three forms: an empty required member, and text beyond ASCII. */
const card: JsonObject = {
  ...asJson(currentCard),
  name: "Café",
  description: "",
  securityRequirements: [{ schemes: { b: { list: ["s"] } } }],
};

async function sign(json: JsonObject = card, kid = "k1"): Promise<JsonObject> {
  return addSignature(json, await signAgentCard(json, { key: pair.privateKey, alg: "ES256", kid }));
}

/** Signs as others do, in any form and with any header. */
async function signAs(
  json: JsonObject,
  form: CanonicalForm,
  header: JsonObject = {},
): Promise<JsonObject> {
  const { protected: encoded = "", signature } = await new FlattenedSign(
    canonicalizeAgentCard(json, form),
  )
    .setProtectedHeader({ alg: "ES256", kid: "k1", ...header } as { alg: string })
    .sign(pair.privateKey, { crit: { b64: true } });
  return addSignature(json, { protected: encoded, signature });
}

/** A signature with a header of one's own and nothing behind it. */
function forge(header: JsonObject, signature = ""): JsonObject {
  return addSignature(card, {
    protected: base64url.encode(JSON.stringify({ kid: "k1", ...header })),
    signature,
  });
}

async function verify(
  json: unknown,
  options: Partial<VerifyAgentCardOptions> = {},
): Promise<CardVerification> {
  return verifyAgentCard(json, {
    keys: ({ kid }) => (kid === "k1" ? pair.publicKey : undefined),
    ...options,
  });
}

describe("signing a card", () => {
  it("names the algorithm, the type and the key in the protected header", async () => {
    verifies("signature:protected-header", "signature:typ", "signature:jku", "signature:encoding");
    const jku = "https://a.example/jwks.json";
    const signature = await signAgentCard(card, {
      key: pair.privateKey,
      alg: "ES256",
      kid: "k1",
      jku,
    });
    expect(new TextDecoder().decode(base64url.decode(signature.protected))).toBe(
      JSON.stringify({ alg: "ES256", typ: "JOSE", kid: "k1", jku }),
    );
    expect(signature.signature).toMatch(/^[A-Za-z0-9_-]{86}$/);
  });

  it("signs the encoded header and the encoded canonical card", async () => {
    verifies("signature:signing-input");
    const { protected: header, signature } = await signAgentCard(card, {
      key: pair.privateKey,
      alg: "ES256",
      kid: "k1",
    });
    const input = `${header}.${base64url.encode(canonicalizeAgentCard(card))}`;
    const holds = await crypto.subtle.verify(
      { name: "ECDSA", hash: "SHA-256" },
      pair.publicKey,
      base64url.decode(signature) as BufferSource,
      new TextEncoder().encode(input),
    );
    expect(holds).toBe(true);
  });

  it.each(["none", "HS256"])("is refused with the algorithm %s", async (alg) => {
    const options = { key: pair.privateKey, alg: alg as SignatureAlgorithm, kid: "k1" };
    await expect(signAgentCard(card, options)).rejects.toThrow(
      `a card cannot be signed with "${alg}"`,
    );
  });

  it.each(signatureAlgorithms)("and verifying it works with %s and keys as JSON", async (alg) => {
    const keys = await generateKeyPair(alg, { extractable: true });
    const key = await exportJWK(keys.privateKey);
    const signed = addSignature(card, await signAgentCard(card, { key, alg, kid: "k1" }));
    const publicKey = await exportJWK(keys.publicKey);
    expect(await verify(signed, { keys: () => publicKey })).toMatchObject({ outcome: "verified" });
  });
});

describe("verifying a card", () => {
  it.each(canonicalForms)("accepts a signature in the form %s", async (form) => {
    verifies("signature:verify-payload", "signature:verify-key");
    expect(await verify(await signAs(card, form))).toEqual({
      outcome: "verified",
      form,
      kid: "k1",
    });
  });

  it("finds that there is nothing to verify", async () => {
    for (const signatures of [undefined, null, []]) {
      expect(await verify({ ...card, signatures })).toEqual({ outcome: "absent" });
    }
  });

  it("accepts a card as it comes over the wire, whatever the order of its members", async () => {
    const entries = Object.entries(await sign()).toReversed();
    const text = JSON.stringify(Object.fromEntries(entries), null, 2);
    expect(await verify(JSON.parse(text))).toMatchObject({ outcome: "verified", form: "spec" });
  });

  it.each(["1.0", "0.3", "blended", "blended-0.1"] as const)(
    "accepts any card signed in the form %s it is served in",
    async (form) => {
      await fc.assert(
        fc.asyncProperty(agentCards, async (any) => {
          const signed = await sign(encodeCardForm({ ...any, signatures: [] }, form));
          const result = await verify(JSON.parse(JSON.stringify(signed)));
          expect(result).toMatchObject({ outcome: "verified" });
        }),
        { numRuns: 20 },
      );
    },
  );

  it.each(canonicalForms)("refuses a card of the form %s with any change", async (form) => {
    const signed = await signAs(card, form);
    const text = JSON.stringify(signed);
    let refused = 0;
    for (let index = 0; index < text.length; index += 1) {
      for (const replacement of ["", text[index] === "x" ? "y" : "x"]) {
        const changed = text.slice(0, index) + replacement + text.slice(index + 1);
        const json = parse(changed);
        if (json === undefined || changed === text) continue;
        const { outcome } = await verify(json);
        expect(outcome, changed).not.toBe("verified");
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(text.length);
  });

  it.each<[string, (json: JsonObject) => JsonObject]>([
    ["one more member", (json) => ({ ...json, extra: 1 })],
    ["one more empty object", (json) => ({ ...json, extra: {} })],
    ["one more member called __proto__", (json) => withProto(json)],
    ["one member less", (json) => ({ ...json, version: undefined }) as unknown as JsonObject],
    [
      "another address",
      (json) => ({ ...json, supportedInterfaces: [{ url: "https://evil.example/" }] }),
    ],
    [
      "another scheme to satisfy",
      (json) => ({ ...json, securityRequirements: [{ schemes: { b: { list: ["s"] }, c: {} } }] }),
    ],
    [
      "a requirement that asks for nothing",
      (json) => ({ ...json, securityRequirements: [{ schemes: { b: { list: ["s"] } } }, {}] }),
    ],
    ["one more skill", (json) => ({ ...json, skills: [...(json["skills"] as []), {}] })],
  ])("vouches in no form for a card with %s", async (_, change) => {
    for (const form of canonicalForms) {
      const { outcome } = await verify(change(await signAs(card, form)));
      expect(["invalid", "unverifiable"]).toContain(outcome);
    }
  });

  it("tells what a signature without empty values leaves out", async () => {
    const open = { ...card, securityRequirements: [{ schemes: { b: {} } }] };
    expect(await verify(await signAs(open, "stripped"))).toEqual({
      outcome: "unverifiable",
      form: "stripped",
      kid: "k1",
      reason: 'the signature leaves out empty values, among them "securityRequirements[0]"',
      uncovered: ["securityRequirements[0]"],
    });
    expect(await verify(await signAs(open, "spec"))).toMatchObject({ outcome: "verified" });
  });

  it.each<[string, (signature: string) => string]>([
    ["padding", (signature) => `${signature}==`],
    ["a line break", (signature) => `${signature}\n`],
    ["other unused bits", (signature) => signature.slice(0, -1) + nextDigit(signature.slice(-1))],
  ])("takes no other spelling of a signature for it: %s", async (_, respell) => {
    const signed = await sign();
    const [{ protected: header, signature } = {}] = signaturesOf(signed);
    const respelled = { protected: header as string, signature: respell(signature as string) };
    expect(await verify(addSignature(card, respelled))).toMatchObject({
      outcome: "invalid",
      reason: "a signature is not base64url",
    });
  });

  it("refuses a signature by another key", async () => {
    expect(await verify(await sign(), { keys: () => other.publicKey })).toEqual({
      outcome: "invalid",
      kid: "k1",
      reason: "the signature does not match the card",
    });
  });

  it("needs one good signature among several", async () => {
    verifies("signature:several", "signature:verify-one");
    const unknown = await sign(card, "k0");
    const both = await sign(unknown, "k1");
    expect(await verify(both)).toMatchObject({ outcome: "verified", kid: "k1" });
    expect(await verify(unknown)).toMatchObject({ outcome: "unverifiable" });
    const broken = { ...forge({ alg: "ES256" }, "AA"), name: "Other" };
    expect(
      await verify({ ...broken, signatures: [...signaturesOf(unknown), ...signaturesOf(broken)] }),
    ).toMatchObject({
      outcome: "invalid",
      kid: "k1",
    });
    expect(
      await verify({
        ...both,
        signatures: [...signaturesOf(forge({ alg: "none" })), ...signaturesOf(both)],
      }),
    ).toMatchObject({ outcome: "verified" });
  });

  it.each<[string, JsonObject, Partial<VerifyAgentCardOptions>, string]>([
    ["no algorithm", {}, {}, "invalid: the algorithm that it names is not accepted"],
    ["the algorithm none", { alg: "none" }, {}, 'invalid: the algorithm "none" is not accepted'],
    ["a shared secret", { alg: "HS256" }, {}, 'invalid: the algorithm "HS256" is not accepted'],
    [
      "an unknown algorithm",
      { alg: "XY1" },
      {},
      'unverifiable: the algorithm "XY1" is not accepted',
    ],
    [
      "an algorithm that is not wanted",
      { alg: "ES256" },
      { algorithms: ["EdDSA"] },
      "unverifiable: the algorithm ES256 is not accepted",
    ],
    [
      "critical parameters",
      { alg: "ES256", crit: ["b64"], b64: false },
      {},
      "unverifiable: the header has critical parameters",
    ],
    ["no key", { alg: "ES256", kid: "" }, {}, "unverifiable: the header names no key"],
    ["an unknown key", { alg: "ES256", kid: "k9" }, {}, 'unverifiable: no key "k9" is trusted'],
    [
      "keys elsewhere",
      { alg: "ES256", jku: "https://evil.example/k" },
      { allowedJkuHosts: ["a.example"] },
      'unverifiable: keys at "https://evil.example/k" are not trusted',
    ],
    [
      "keys without encryption",
      { alg: "ES256", jku: "http://a.example/k" },
      { allowedJkuHosts: ["a.example"] },
      'unverifiable: keys at "http://a.example/k" are not trusted',
    ],
    [
      "keys at a misleading address",
      { alg: "ES256", jku: "https://a.example@evil.example/k" },
      { allowedJkuHosts: ["a.example"] },
      'unverifiable: keys at "https://a.example@evil.example/k" are not trusted',
    ],
    [
      "keys at no address",
      { alg: "ES256", jku: "k" },
      { allowedJkuHosts: ["a.example"] },
      'unverifiable: keys at "k" are not trusted',
    ],
    [
      "a key of another type",
      { alg: "RS256" },
      {},
      "unverifiable: the key does not match the algorithm RS256",
    ],
  ])("refuses a signature with %s", async (_, header, options, expected) => {
    verifies("signature:key-transport");
    const { outcome, reason } = await verify(forge(header, "AAAA"), options);
    expect(`${outcome}: ${reason}`).toBe(expected);
  });

  it("refuses shared secrets even when they are asked for", async () => {
    const algorithms = ["HS256"] as unknown as SignatureAlgorithm[];
    const keys = (): CardKey => ({ kty: "oct", k: "c2VjcmV0" });
    expect(await verify(forge({ alg: "HS256" }), { algorithms, keys })).toMatchObject({
      outcome: "invalid",
    });
  });

  it("tells the resolver of a jku only if its host is allowed", async () => {
    const jku = "https://a.example/jwks.json";
    const signed = await signAs(card, "spec", { jku });
    for (const [allowedJkuHosts, expected] of [
      [["a.example"], { alg: "ES256", kid: "k1", jku }],
      [undefined, { alg: "ES256", kid: "k1" }],
    ] as const) {
      const seen: unknown[] = [];
      const keys = (header: unknown): CardKey => {
        seen.push(header);
        return pair.publicKey;
      };
      const options = { keys, ...(allowedJkuHosts !== undefined && { allowedJkuHosts }) };
      expect(await verify(signed, options)).toMatchObject({ outcome: "verified" });
      expect(seen).toEqual([expected]);
    }
  });

  it.each<[JsonObject, string | undefined]>([
    [{ exp: 1001, nbf: 1000 }, undefined],
    [{ exp: 1000 }, "expired"],
    [{ exp: "2000" }, "expired"],
    [{ nbf: 1001 }, "not valid yet"],
    [{ revoked: { revoked_at: 900 } }, "revoked"],
  ])("heeds the validity %j of a key", async (validity, problem) => {
    verifies("signature:stale-key");
    const keys = (): CardKey => ({ ...publicJwk, ...validity }) as JWK;
    const result = await verify(await sign(), { keys, now: () => 1_000_000 });
    expect(result).toMatchObject(
      problem === undefined
        ? { outcome: "verified" }
        : { outcome: "unverifiable", reason: `the key "k1" is ${problem}` },
    );
  });

  it("survives a key lookup that fails", async () => {
    const keys = (): never => {
      throw new Error("offline");
    };
    expect(await verify(await sign(), { keys })).toMatchObject({
      outcome: "unverifiable",
      reason: 'the key "k1" could not be looked up',
    });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["signatures that are no list", { signatures: {} }],
    ["a signature that is no object", { signatures: ["x"] }],
    ["a signature without its parts", { signatures: [{ protected: "e30" }] }],
    ["a header that is no JSON", { signatures: [{ protected: "e31", signature: "AAAA" }] }],
    ["a header that is no object", { signatures: [{ protected: "W10", signature: "AAAA" }] }],
    [
      "a signature that is not base64url",
      { signatures: [{ protected: "e30", signature: "A=+/" }] },
    ],
    [
      "more signatures than anyone needs",
      { signatures: Array(33).fill({ protected: "e30", signature: "AA" }) },
    ],
    ["text without UTF-8", { name: "\ud800", signatures: [{ protected: "e30", signature: "AA" }] }],
    [
      "nesting without end",
      { x: nest(20_000), signatures: [{ protected: "e30", signature: "AA" }] },
    ],
  ])("calls %s invalid", async (_, json) => {
    expect(await verify(json)).toMatchObject({ outcome: "invalid" });
  });
});

function signaturesOf(json: JsonObject): readonly JsonObject[] {
  return json["signatures"] as unknown as readonly JsonObject[];
}

/** For a digit of which only the upper bits are in use. */
function nextDigit(digit: string): string {
  return { A: "B", Q: "R", g: "h", w: "x" }[digit] ?? "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withProto(json: JsonObject): JsonObject {
  const text = JSON.stringify(json);
  return JSON.parse(`{"__proto__":{"extra":1},${text.slice(1)}`) as JsonObject;
}

function nest(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
