import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import { createPushKeys } from "./push-keys.js";

async function privateKey(alg: string) {
  const { privateKey: key } = await generateKeyPair(alg, { extractable: true });
  return exportJWK(key);
}

describe("keys that an operator gives", () => {
  it.each(["ES256", "ES384", "ES512", "EdDSA", "RS256"])(
    "are published in public: %s",
    async (alg) => {
      const jwk = await privateKey(alg);
      const keys = await createPushKeys([jwk]);
      const { kid } = await keys.signingKey();
      const published = JSON.stringify(await keys.publicKeys());
      expect(JSON.parse(published)).toMatchObject({
        keys: [{ alg, kid, use: "sig", kty: jwk.kty }],
      });
      expect(published).not.toContain(jwk.d);
    },
  );

  it("sign with the first, and keep their names", async () => {
    const [next, last] = [await privateKey("ES256"), await privateKey("ES256")];
    const keys = await createPushKeys([
      { ...next, kid: "next" },
      { ...last, kid: "last" },
    ]);
    expect((await keys.signingKey()).kid).toBe("next");
    expect(await keys.publicKeys()).toMatchObject({ keys: [{ kid: "next" }, { kid: "last" }] });
  });

  it.each([
    ["none", []],
    ["a secret that both sides have", [{ kty: "oct", k: "c2VjcmV0", alg: "HS256" }]],
    ["a key of an unknown kind", [{ kty: "OKP", crv: "X448", x: "AA", d: "AA" }]],
  ])("are refused: %s", async (_, given) => {
    await expect(createPushKeys(given)).rejects.toThrow(/sign/);
  });

  it("are refused without their private half", async () => {
    const { d: _, ...jwk } = await privateKey("ES256");
    await expect(createPushKeys([jwk])).rejects.toThrow(/private key/);
  });
});
