import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import type { JWK } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { certificateFetch } from "@parley/a2a/client/node";
import { createCardVerifier } from "@parley/a2a/client/signatures";
import type { CardVerifierOptions } from "../../src/client/signatures/create-card-verifier.js";
import type { Server } from "@parley/a2a/node";
import { addSignature, signAgentCard } from "@parley/a2a/wire";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import { readTls } from "../support/files/tls.js";

/** A site with a key set, over TLS as key sets have to be. */
async function openKeySite(answer: () => { status?: number; location?: string; body: string }) {
  const asked: string[] = [];
  const ca = readTls("localhost-cert").toString();
  const options = { key: readTls("localhost-key"), cert: ca };
  const server = createServer(options, (request, response) => {
    asked.push(request.url ?? "");
    const { status = 200, location, body } = answer();
    response.writeHead(status, location === undefined ? {} : { Location: location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fetch = certificateFetch({ origin: `https://${host}`, ca });
  return {
    host,
    asked,
    fetch,
    async [Symbol.asyncDispose]() {
      fetch.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

type KeySite = Awaited<ReturnType<typeof openKeySite>>;

let site: KeySite;
let server: Server;
let publicKey: JWK;
let answer: () => { status?: number; location?: string; body: string };
beforeAll(async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  publicKey = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "ES256" };
  answer = () => ({ body: JSON.stringify({ keys: [publicKey] }) });
  site = await openKeySite(() => answer());
  server = await openServer({
    signCard: async (card) => {
      const jku = `https://${site.host}/jwks.json`;
      const how = { key: pair.privateKey, alg: "ES256", kid: "k1", jku } as const;
      return addSignature(card, await signAgentCard(card, how));
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = (options: CardVerifierOptions): Promise<RemoteAgent> =>
  connect(server.url, { verifyCard: createCardVerifier({ fetch: site.fetch, ...options }) });

describe("the outcome for a signed card is told", () => {
  it("when its key is at a host that is trusted", async () => {
    verifies("signature:verify-key", "signature:key-transport");
    const { signature } = await open({ keyHosts: [site.host] });
    expect(signature).toMatchObject({ outcome: "verified", kid: "k1" });
  });

  it("when its key is one that the caller has", async () => {
    const before = site.asked.length;
    for (const more of [{}, { keyHosts: [site.host] }]) {
      const { signature } = await open({ keys: { k1: publicKey }, ...more });
      expect(signature?.outcome).toBe("verified");
    }
    const { signature } = await open({ keys: { k2: publicKey } });
    expect(signature?.reason).toMatch(/no key .*k1.* is trusted/);
    expect(site.asked.length).toBe(before);
  });

  it.each<[string, () => CardVerifierOptions, RegExp]>([
    ["its key is elsewhere", () => ({ keyHosts: ["keys.example"] }), /are not trusted$/],
    [
      "its algorithm is not allowed",
      () => ({ keyHosts: [site.host], algorithms: ["EdDSA"] }),
      /ES256 is not accepted/,
    ],
    [
      "the key is no longer good",
      () => ({ keyHosts: [site.host], now: () => Date.parse("2200-01-01") }),
      /is expired/,
    ],
  ])("when %s", async (_, options, reason) => {
    answer = () => ({ body: JSON.stringify({ keys: [{ ...publicKey, exp: 4_000_000_000 }] }) });
    const { signature } = await open(options());
    expect(signature).toMatchObject({
      outcome: "unverifiable",
      reason: expect.stringMatching(reason),
    });
  });

  it.each<[string, () => ReturnType<typeof answer>]>([
    ["has no such key", () => ({ body: JSON.stringify({ keys: [] }) })],
    ["sends it elsewhere", () => ({ status: 302, location: "https://evil.example/", body: "" })],
    ["has no key set", () => ({ status: 404, body: "" })],
    ["has something else", () => ({ body: "<h1>Welcome</h1>" })],
    [
      "has no end of keys",
      () => ({ body: JSON.stringify({ keys: [publicKey], more: "x".repeat(300_000) }) }),
    ],
  ])("when the host %s", async (_, given) => {
    answer = given;
    const { signature } = await open({ keyHosts: [site.host] });
    expect(signature).toMatchObject({ outcome: "unverifiable" });
  });
});

it("follows no redirect of a host that is trusted", async () => {
  const redirects: (string | undefined)[] = [];
  answer = () => ({ body: JSON.stringify({ keys: [publicKey] }) });
  const { signature } = await open({
    keyHosts: [site.host],
    fetch: (url, init) => {
      redirects.push(init.redirect);
      return site.fetch(url, init);
    },
  });
  expect(signature?.outcome).toBe("verified");
  expect(redirects).toEqual(["manual"]);
});

describe("a card that has to be vouched for", () => {
  it("is refused when it is not", async () => {
    answer = () => ({ body: JSON.stringify({ keys: [publicKey] }) });
    const { card } = await open({ keyHosts: [site.host], required: true });
    expect(card.name).toBe("Parley demo");
    await expect(open({ keyHosts: ["keys.example"], required: true })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(/^the card is not verified: keys at .* are not trusted$/),
      details: { metadata: { outcome: "unverifiable" } },
    });
    await using plain = await openServer();
    const verifyCard = createCardVerifier({ keyHosts: [site.host], required: true });
    await expect(connect(plain.url, { verifyCard })).rejects.toThrowError("it has no signature");
  });

  it("is refused when it was changed on the way", async () => {
    verifies("signature:verify-present");
    const verifyCard = createCardVerifier({
      keyHosts: [site.host],
      fetch: site.fetch,
      required: true,
    });
    const changed = connect(`${server.url}/.well-known/agent-card.json?changed`, {
      verifyCard,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const text = await response.text();
        return new Response(text.replace("Parley demo", "Evil demo"), response);
      },
    });
    await expect(changed).rejects.toThrowError(/the signature does not match the card/);
  });
});
