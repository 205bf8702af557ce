import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { agent } from "@parley/a2a/server";
import { addSignature, signAgentCard, verifyAgentCard } from "@parley/a2a/wire";
import { exportJWK, generateKeyPair } from "jose";
import { verifies } from "../spec/verifies.js";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { jsonOf, rpc, send } from "../support/clients/http-client.js";
import type { SendOptions } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import type { ServerOptions } from "../support/servers/open-server.js";

const reserved = agent({
  name: "Reserved",
  description: "Shows more to those it knows",
  extendedCard: (card, { principal }) => ({
    ...card,
    description: `Hello, ${principal?.subject ?? "everyone"}`,
  }),
  run: () => "hello",
});

/** Says that it has an extended card, and has none. */
const forgetful = agent({
  name: "Forgetful",
  description: "Promises more than it has",
  capabilities: { extendedAgentCard: true },
  run: () => "hello",
});

/** Everywhere the extended card has ever been. */
const addresses: readonly (readonly [name: string, route: string, options: SendOptions])[] = [
  ["1.0 JSON-RPC", "POST /", rpc("GetExtendedAgentCard")],
  ["1.0 JSON-RPC with params", "POST /", rpc("GetExtendedAgentCard", {})],
  ["1.0 REST", "GET /extendedAgentCard", {}],
  ["1.0 REST of a tenant", "GET /acme/extendedAgentCard", {}],
  ["0.3 JSON-RPC", "POST /", rpc("agent/getAuthenticatedExtendedCard")],
  ["0.2.6 JSON-RPC", "POST /", rpc("agent/authenticatedExtendedCard")],
  ["0.3 REST", "GET /v1/card", {}],
  ["0.2 HTTP", "GET /agent/authenticatedExtendedCard", {}],
];

function authenticate(request: { header(name: string): string | undefined }) {
  const [, subject] = /^Bearer (\w+)$/.exec(request.header("authorization") ?? "") ?? [];
  return subject === "mallory"
    ? Promise.reject(new A2AError("UNAUTHENTICATED", "who are you?"))
    : Promise.resolve(subject === undefined ? undefined : { subject });
}

const auth = authenticatorOf(authenticate);

const options: ServerOptions = {
  agent: reserved,
  auth,
};

/** In 0.2 it is a document, which is not found; since then an operation, which is refused. */
function statusOfNone([name, route]: (typeof addresses)[number]): number {
  if (route.startsWith("POST")) return 200;
  return name === "0.2 HTTP" ? 404 : 400;
}

async function fetchCard(
  url: string,
  [, route, { headers, ...rest }]: (typeof addresses)[number],
  token?: string,
) {
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const answer = await send(url, route, { ...rest, headers: { ...headers, ...authorization } });
  const body = jsonOf(answer);
  return { ...answer, card: body.result ?? body };
}

describe("the extended card", () => {
  it.each(addresses)("is at the address of %s, for who may read it", async (...address) => {
    verifies("extended-card:cache-headers");
    verifies("extended-card:complete", "jsonrpc:extended-card-params", "rest:extended-card");
    await using server = await openServer(options);
    const { status, card, headers } = await fetchCard(server.url, address, "alice");
    expect(status).toBe(200);
    expect(card.description).toBe("Hello, alice");
    const is10 = address[0].startsWith("1.0");
    expect("supportedInterfaces" in card).toBe(is10);
    expect(is10 ? card.supportedInterfaces[0].url : card.url).toBe(server.url);
    if (address[1].startsWith("GET")) {
      expect(headers["cache-control"]).toMatch(/^private/);
      expect(headers.vary).toContain("Authorization");
    }
  });

  it.each(addresses)("is kept from strangers at the address of %s", async (...address) => {
    verifies("extended-card:requires-authentication", "auth:rejected");
    await using server = await openServer(options);
    for (const token of [undefined, "mallory"]) {
      const { status, headers, text } = await fetchCard(server.url, address, token);
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe("Bearer");
      expect(text).not.toContain("Hello");
    }
  });

  it.each(addresses)("is not there unless declared, at the address of %s", async (...address) => {
    verifies("extended-card:undeclared");
    await using server = await openServer();
    const { status, card, text } = await fetchCard(server.url, address);
    expect(status).toBe(statusOfNone(address));
    expect(card).not.toHaveProperty("name");
    expect(text).toMatch(/UNSUPPORTED_OPERATION/);
  });

  it.each(addresses)("is missed when declared and not given, at %s", async (...address) => {
    verifies("extended-card:not-configured");
    await using server = await openServer({ agent: forgetful });
    const { status, text } = await fetchCard(server.url, address);
    expect(status).toBe(statusOfNone(address));
    expect(text).toMatch(/EXTENDED_AGENT_CARD_NOT_CONFIGURED/);
  });

  it.each(addresses)("is signed as it is served at the address of %s", async (...address) => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    await using server = await openServer({
      ...options,
      signCard: async (card) =>
        addSignature(card, await signAgentCard(card, { key: privateKey, alg: "ES256", kid: "k" })),
    });
    const { card } = await fetchCard(server.url, address, "alice");
    const keys = () => exportJWK(publicKey);
    expect(await verifyAgentCard(card, { keys })).toMatchObject({ outcome: "verified" });
  });

  it("keeps the addresses that its author gives it", async () => {
    const url = "https://elsewhere.example";
    const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }];
    await using server = await openServer({
      agent: agent({
        name: "Elsewhere",
        description: "Is elsewhere",
        extendedCard: (card) => ({ ...card, supportedInterfaces }),
        run: () => "hello",
      }),
      settings: { extendedCardForAnyone: true },
    });
    const { card } = await fetchCard(server.url, ["", "GET /extendedAgentCard", {}]);
    expect(card.supportedInterfaces).toEqual(supportedInterfaces);
  });

  it("is each agent's own where a server has several", async () => {
    const named = (name: string) =>
      agent({
        name,
        description: "…",
        extendedCard: (card) => ({ ...card, description: `all about ${name}` }),
        run: () => "hello",
      });
    const plain = agent({ name: "Cleo", description: "…", run: () => "hello" });
    await using server = await openServer({
      agent: { "/a": named("Ada"), "/b": named("Bob"), "/c": plain },
      auth,
    });
    for (const [path, name] of [
      ["/a", "Ada"],
      ["/b", "Bob"],
    ]) {
      const { card } = await fetchCard(
        server.url,
        ["", `GET ${path}/extendedAgentCard`, {}],
        "alice",
      );
      expect(card.description).toBe(`all about ${name}`);
      expect(card.supportedInterfaces[0].url).toBe(`${server.url}${path}`);
    }
    const none = await fetchCard(server.url, ["", "GET /c/extendedAgentCard", {}], "alice");
    expect(none.text).toMatch(/UNSUPPORTED_OPERATION/);
  });

  it("is declared in the public card of an agent that has one", async () => {
    verifies("card:extended-capability");
    await using server = await openServer(options);
    const card = jsonOf(await send(server.url, "GET /.well-known/agent-card.json"));
    expect(card.capabilities.extendedAgentCard).toBe(true);
    expect(card.supportsAuthenticatedExtendedCard).toBe(true);
  });
});

describe("an agent with an extended card and no authentication", () => {
  it.each<[string, ServerOptions]>([
    ["alone", { agent: reserved }],
    ["beside one that has", { agent: { "/a": { agent: reserved, auth: false } }, auth }],
  ])("is not served, %s, and the error says what to do", async (_, open) => {
    verifies("extended-card:requires-authentication");
    await expect(openServer(open)).rejects.toThrow(
      '"Reserved" has an extended card, which is for authenticated callers, and nobody can authenticate: configure ' +
        "authentication (auth), remove extendedCard, or let everyone read the card with " +
        "settings: { extendedCardForAnyone: true }",
    );
  });

  it.each(addresses)("is served where anyone may read the card, at %s", async (...address) => {
    await using server = await openServer({
      agent: reserved,
      settings: { extendedCardForAnyone: true },
    });
    const { status, card } = await fetchCard(server.url, address);
    expect(status).toBe(200);
    expect(card.description).toBe("Hello, everyone");
  });

  it("shows its card at another mount to those who authenticate there, and to nobody else", async () => {
    await using server = await openServer({
      agent: { "/open": { agent: reserved, auth: false }, "/closed": reserved },
      auth,
    });
    const open = await fetchCard(server.url, ["", "GET /open/extendedAgentCard", {}]);
    expect(open.status).toBe(401);
    const closed = await fetchCard(server.url, ["", "GET /closed/extendedAgentCard", {}], "alice");
    expect(closed.card.description).toBe("Hello, alice");
  });
});
