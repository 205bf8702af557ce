import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { addSignature, decodeAgentCard, signAgentCard, verifyAgentCard } from "@parley/a2a/wire";
import { exportJWK, generateKeyPair } from "jose";
import { verifies } from "../spec/verifies.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const modern = "/.well-known/agent-card.json";
const ancient = "/.well-known/agent.json";

/** The forms of a card, by what they have and what they lack. */
const forms = {
  "1.0": { has: ["supportedInterfaces"], lacks: ["url", "protocolVersion", "authentication"] },
  "0.3": { has: ["url", "protocolVersion"], lacks: ["supportedInterfaces", "authentication"] },
  blended: { has: ["url", "protocolVersion", "supportedInterfaces"], lacks: ["authentication"] },
  "blended-0.1": {
    has: ["url", "protocolVersion", "supportedInterfaces", "authentication"],
    lacks: [],
  },
} as const;

const requests = [
  [modern, "1.0", "1.0"],
  [modern, "1.0.1", "1.0"],
  [modern, "0.3", "0.3"],
  [modern, "0.1", "0.3"],
  [modern, undefined, "blended"],
  [modern, "", "blended"],
  [modern, "1.1", "1.0"],
  [modern, "garbage", "blended"],
  [ancient, undefined, "blended-0.1"],
  [ancient, "1.0", "blended-0.1"],
] as const;

const secured = agent({
  name: "Secured",
  description: "Wants a token",
  version: "3.2.1",
  skills: [{ name: "Say hello", tags: ["greeting"] }],
  securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "bearer" } } },
  securityRequirements: [{ schemes: { token: { list: [] } } }],
  run: () => "hello",
});

function headersFor(version: string | undefined): Record<string, string> {
  return version === undefined ? {} : { "A2A-Version": version };
}

describe("the form of a card", () => {
  it.each(requests)("at %s for version %j is %s", async (path, version, form) => {
    verifies("card:available", "card:well-known", "card:declares-bindings");
    await using server = await openServer({ agent: secured });
    const answer = await send(server.url, `GET ${path}`, { headers: headersFor(version) });
    expect(answer.status).toBe(200);
    const card = jsonOf(answer);
    expect(Object.keys(card)).toEqual(expect.arrayContaining([...forms[form].has]));
    for (const member of forms[form].lacks) expect(card).not.toHaveProperty(member);
    const decoded = decodeAgentCard(card);
    expect(decoded).toMatchObject({ name: "Secured", version: "3.2.1" });
    expect(new Set(decoded.supportedInterfaces.map(({ url }) => url))).toEqual(
      new Set([server.url]),
    );
  });

  it("lists every binding and version, the newest first", async () => {
    verifies("card:interfaces-complete", "card:interface-accurate", "card:shared-url");
    await using server = await openServer();
    const card = jsonOf(await send(server.url, `GET ${modern}`, { headers: headersFor("1.0") }));
    expect(card.supportedInterfaces).toEqual(
      [
        ["JSONRPC", "1.0"],
        ["HTTP+JSON", "1.0"],
        ["JSONRPC", "0.3"],
        ["HTTP+JSON", "0.3"],
        ["JSONRPC", "0.2"],
        ["HTTP+JSON", "0.2"],
        ["JSONRPC", "0.1"],
      ].map(([protocolBinding, protocolVersion]) => ({
        url: server.url,
        protocolBinding,
        protocolVersion,
      })),
    );
  });

  it("may be chosen in the query as well", async () => {
    await using server = await openServer();
    const card = jsonOf(await send(server.url, `GET ${modern}?A2A-Version=0.3`));
    expect(card).not.toHaveProperty("supportedInterfaces");
  });
});

describe("a card in caches", () => {
  it("is described by its headers", async () => {
    verifies("card:cache-control", "card:etag", "card:last-modified");
    const before = Date.now();
    await using server = await openServer({ cardMaxAgeSeconds: 60 });
    const { status, headers } = await send(server.url, `GET ${modern}`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "cache-control": "public, max-age=60",
      vary: "A2A-Version",
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    });
    const modified = headers["last-modified"] ?? "";
    expect(new Date(modified).toUTCString()).toBe(modified);
    expect(Date.parse(modified)).toBeGreaterThan(before - 1000);
    expect(Date.parse(modified)).toBeLessThanOrEqual(Date.now());
  });

  it("has a tag of its own in each form, and the same one each time", async () => {
    await using server = await openServer();
    const tagOf = async (path: string, version?: string) =>
      (await send(server.url, `GET ${path}`, { headers: headersFor(version) })).headers.etag;
    const tags = await Promise.all([
      tagOf(modern, "1.0"),
      tagOf(modern, "0.3"),
      tagOf(modern),
      tagOf(ancient),
    ]);
    expect(new Set(tags).size).toBe(4);
    expect(await tagOf(modern, "1.0.7")).toBe(tags[0]);
  });

  it.each([
    ["the tag", (tag: string) => tag, 304],
    ["a weak one", (tag: string) => `W/${tag}`, 304],
    ["one of several", (tag: string) => `"other", ${tag}`, 304],
    ["any", () => "*", 304],
    ["another", () => '"other"', 200],
    ["garbage", () => "{}", 200],
  ] as const)("is not sent again to who has %s", async (_, ifNoneMatch, expected) => {
    await using server = await openServer();
    const { headers } = await send(server.url, `GET ${modern}`);
    const again = await send(server.url, `GET ${modern}`, {
      headers: { "If-None-Match": ifNoneMatch(headers.etag ?? "") },
    });
    expect(again.status).toBe(expected);
    expect(again.headers.etag).toBe(headers.etag);
    expect(again.headers.vary).toBe("A2A-Version");
    expect(again.text === "").toBe(expected === 304);
  });

  const forms = [
    [modern, "1.0"],
    [modern, "0.3"],
    [modern, undefined],
    [ancient, undefined],
  ] as const;
  const other = '"other"';

  it.each<[string, (modified: string, tag: string) => Record<string, string>, number]>([
    ["its time", (modified) => ({ "If-Modified-Since": modified }), 304],
    ["a later time", (modified) => ({ "If-Modified-Since": shifted(modified, 60) }), 304],
    ["an earlier time", (modified) => ({ "If-Modified-Since": shifted(modified, -1) }), 200],
    ["no time of HTTP", () => ({ "If-Modified-Since": "2999-01-01T00:00:00Z" }), 200],
    [
      "its time, another tag",
      (time) => ({ "If-Modified-Since": time, "If-None-Match": other }),
      200,
    ],
    [
      "its tag, an earlier time",
      (time, tag) => ({ "If-Modified-Since": shifted(time, -1), "If-None-Match": tag }),
      304,
    ],
  ])("is compared with what a caller has: %s", async (_, conditions, expected) => {
    await using server = await openServer();
    for (const [path, version] of forms) {
      const named = headersFor(version);
      const { headers } = await send(server.url, `GET ${path}`, { headers: named });
      const { etag = "", "last-modified": modified = "" } = headers;
      for (const method of ["GET", "HEAD"]) {
        const again = await send(server.url, `${method} ${path}`, {
          headers: { ...named, ...conditions(modified, etag) },
        });
        expect(again.status).toBe(expected);
        expect(again.headers).toMatchObject({ etag, "last-modified": modified });
        if (expected === 304) expect(again.text).toBe("");
      }
    }
  });

  it.each([modern, ancient])("can be asked for by HEAD at %s", async (path) => {
    await using server = await openServer();
    const get = await send(server.url, `GET ${path}`);
    const head = await send(server.url, `HEAD ${path}`);
    expect(head).toMatchObject({ status: 200, text: "" });
    const { date: _, ...expected } = get.headers;
    expect(head.headers).toMatchObject(expected);
  });
});

describe("a signed card", () => {
  it.each(requests)("at %s for version %j verifies as served", async (path, version) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    await using server = await openServer({
      agent: secured,
      signCard: async (card) =>
        addSignature(card, await signAgentCard(card, { key: privateKey, alg: "ES256", kid: "k" })),
    });
    const headers = headersFor(version);
    const card = jsonOf(await send(server.url, `GET ${path}`, { headers }));
    const keys = async () => exportJWK(publicKey);
    expect(await verifyAgentCard(card, { keys })).toMatchObject({ outcome: "verified", kid: "k" });
    const tampered = { ...card, description: "Wants your money" };
    expect(await verifyAgentCard(tampered, { keys })).toMatchObject({ outcome: "invalid" });
  });

  it("is not served when signing fails, and says nothing of why", async () => {
    const reported: unknown[] = [];
    await using server = await openServer({
      signCard: () => Promise.reject(new Error("the key is in /etc/secret")),
      reportFailure: (error) => reported.push(error),
    });
    const answer = await send(server.url, `GET ${modern}`);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain("secret");
    expect(reported).toHaveLength(1);
  });
});

/** A time of HTTP so many seconds later. */
function shifted(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toUTCString();
}
