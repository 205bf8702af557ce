import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { openDemo } from "../support/servers/open-demo.js";
import type { Demo } from "../support/servers/open-demo.js";
import { verifies } from "../spec/verifies.js";

let demo: Demo;
beforeAll(async () => {
  demo = await openDemo();
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
});

let sites = 0;

/** Connects to the demo agent by a card at one of the well-known paths of a site of its own. */
function connectBy(
  card: (url: string) => JsonObject,
  path = "agent-card.json",
): Promise<RemoteAgent> {
  const site = `http://site-${(sites += 1)}.example`;
  return connect(site, {
    fetch: async (url, init) => {
      if (!url.startsWith(site)) return fetch(url, init);
      return url === `${site}/.well-known/${path}`
        ? Response.json(card(demo.url))
        : new Response("no", { status: 404 });
    },
  });
}

const skill = { id: "s", name: "S", description: "d", tags: [] };
const described = {
  name: "A",
  description: "d",
  version: "1",
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [skill],
};
const jsonRpc = (url: string, protocolVersion: string) => ({
  url,
  protocolBinding: "JSONRPC",
  protocolVersion,
});

type Kind = [evidence: string, version: string, card: (url: string) => JsonObject];

// The kinds of cards, and what says which version each is of.
const kinds: readonly Kind[] = [
  [
    "supportedInterfaces",
    "1.0",
    (url) => ({ ...described, supportedInterfaces: [jsonRpc(url, "1.0")] }),
  ],
  [
    "patch numbers",
    "1.0",
    (url) => ({ ...described, supportedInterfaces: [jsonRpc(url, "1.0.1")] }),
  ],
  [
    "blended members",
    "1.0",
    (url) => ({
      ...described,
      supportedInterfaces: [jsonRpc(url, "1.0"), jsonRpc(url, "0.3")],
      url,
      preferredTransport: "JSONRPC",
      protocolVersion: "0.3.0",
    }),
  ],
  [
    "an interface of 0.3 first",
    "0.3",
    (url) => ({ ...described, supportedInterfaces: [jsonRpc(url, "0.3"), jsonRpc(url, "1.0")] }),
  ],
  ["protocolVersion 0.3.0", "0.3", (url) => ({ ...described, url, protocolVersion: "0.3.0" })],
  ["protocolVersion 0.2.5", "0.2", (url) => ({ ...described, url, protocolVersion: "0.2.5" })],
  ["preferredTransport", "0.2", (url) => ({ ...described, url, preferredTransport: "JSONRPC" })],
  [
    "security schemes",
    "0.2",
    (url) => ({ ...described, url, securitySchemes: { b: { type: "http", scheme: "bearer" } } }),
  ],
  ["authentication", "0.1", (url) => ({ ...described, url, authentication: { schemes: [] } })],
  ["a bare url", "0.2", (url) => ({ name: "A", url })],
  [
    "interfaces, as a draft calls them",
    "1.0",
    (url) => ({ ...described, interfaces: [jsonRpc(url, "1.0")] }),
  ],
  [
    "members in snake_case",
    "1.0",
    (url) => ({
      ...described,
      supported_interfaces: [{ url, protocol_binding: "JSONRPC", protocol_version: "1.0" }],
    }),
  ],
];

it.each(kinds)("reads %s as a sign of %s", async (_, version, card) => {
  verifies("client:deprecated-aliases");
  verifies("client:dual-reading", "client:older-names-logged");
  const agent = await connectBy(card);
  expect(agent.version).toBe(version);
  expect(await agent.text("echo hi")).toBe("hi");
});

it("reads a card at the older path with skills that are not described as one of 0.1", async () => {
  const skills = [{ id: "s", name: "S" }];
  const agent = await connectBy((url) => ({ ...described, url, skills }), "agent.json");
  expect([agent.version, await agent.text("echo hi")]).toEqual(["0.1", "hi"]);
});

it.each<[string, object]>([
  ["no authentication", { authentication: null }],
  ["one scheme of authentication", { authentication: { type: "http", scheme: "bearer" } }],
  ["skills without ids", { skills: [{ name: "Find Flights", parameters: {} }] }],
  ["modes that are kinds of parts", { defaultInputModes: ["text"], defaultOutputModes: ["data"] }],
  [
    "capabilities that nobody knows",
    { capabilities: { streaming: true, contextPreservation: true } },
  ],
  ["members that nobody knows", { fileSupport: true, endpoints: {}, metadata: {} }],
])("reads a card with %s", async (_, members) => {
  const agent = await connectBy((url) => ({
    ...described,
    url,
    protocolVersion: "0.3.0",
    ...members,
  }));
  expect(await agent.text("echo hi")).toBe("hi");
});

it("reads the oneofs of an official server as it prints its own objects", async () => {
  const agent = await connectBy((url) => ({
    ...described,
    supportedInterfaces: [jsonRpc(url, "1.0")],
    securitySchemes: {
      b: { scheme: { $case: "httpAuthSecurityScheme", value: { scheme: "bearer" } } },
    },
  }));
  expect(agent.card.securitySchemes).toEqual({
    b: { httpAuthSecurityScheme: { scheme: "bearer" } },
  });
});

it("uses older versions only as far as it may", async () => {
  verifies("version:no-silent-fallback");
  verifies("version:client-tooling");
  const card = (url: string) => ({
    ...described,
    supportedInterfaces: [jsonRpc(url, "0.3"), jsonRpc(url, "1.0")],
  });
  expect((await connect(card(demo.url), { versions: ["1.0"] })).version).toBe("1.0");
  const older = { ...described, supportedInterfaces: [jsonRpc(demo.url, "0.3")] };
  await expect(connect(older, { versions: ["1.0"] })).rejects.toMatchObject({
    code: "VERSION_NOT_SUPPORTED",
    message:
      "A offers JSONRPC 0.3; this client uses JSONRPC, HTTP+JSON in 1.0; " +
      "allow version 0.3 to use JSONRPC",
  });
});

it("uses the caller's order of bindings in place of the card's", async () => {
  verifies("client:fallback");
  const { card } = await connect(demo.url);
  const agent = await connect(card, { bindings: ["HTTP+JSON", "JSONRPC"] });
  expect([agent.binding, await agent.text("echo hi")]).toEqual(["HTTP+JSON", "hi"]);
});
