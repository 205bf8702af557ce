import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  apiKey,
  createAuthenticator,
  createKey,
  hashPassword,
  httpBasic,
  httpBearer,
  keyTable,
  mutualTls,
  oauth2,
  openIdConnect,
} from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import { agent } from "@parley/a2a/server";
import type { Server } from "@parley/a2a/node";
import { addressOf } from "../support/servers/open-served.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { jsonOf, rpc, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

const travel = agent({
  name: "Travel",
  description: "Books flights",
  extendedCard: (card, { principal }) => ({ ...card, description: `For ${principal?.subject}` }),
  skills: [{ name: "Book", id: "book" }],
  run: ({ caller }) => caller?.subject ?? "nobody",
});

const clientCredentials = { tokenUrl: "https://id.example/token", scopes: { call: "Call it" } };

let serving: Server;
let key: string;

beforeAll(async () => {
  const made = await createKey();
  key = made.key;
  const keys = [{ subject: "ada", hash: made.hash, scopes: ["call"] }];
  const verify = keyTable(keys);
  const users = [{ username: "ada", passwordHash: await hashPassword("right", 1) }];
  const auth = createAuthenticator({
    schemes: {
      key: apiKey({ in: "header", name: "X-API-Key", keys, description: "Ask us" }),
      basic: httpBasic({ users }),
      token: httpBearer({ verify, bearerFormat: "opaque" }),
      oauth: oauth2({ flows: { clientCredentials }, verify }),
      oidc: openIdConnect({ issuer: "https://id.example", verify }),
    },
    requirements: [{ key: ["call"] }, { oidc: ["call"], basic: [] }, { oauth: [] }, { token: [] }],
    skills: { book: [{ key: ["call"] }, { oidc: ["book"] }] },
  });
  serving = await openServer({
    agent: travel,
    auth,
    grpc: { port: 0 },
  });
});

afterAll(() => serving.close());

const wrapped = {
  key: { apiKeySecurityScheme: { location: "header", name: "X-API-Key", description: "Ask us" } },
  basic: { httpAuthSecurityScheme: { scheme: "basic" } },
  token: { httpAuthSecurityScheme: { scheme: "bearer", bearerFormat: "opaque" } },
  oauth: { oauth2SecurityScheme: { flows: { clientCredentials } } },
  oidc: {
    openIdConnectSecurityScheme: {
      openIdConnectUrl: "https://id.example/.well-known/openid-configuration",
    },
  },
};

const openApi = {
  key: { type: "apiKey", in: "header", name: "X-API-Key", description: "Ask us" },
  basic: { type: "http", scheme: "basic" },
  token: { type: "http", scheme: "bearer", bearerFormat: "opaque" },
  oauth: { type: "oauth2", flows: { clientCredentials } },
  oidc: {
    type: "openIdConnect",
    openIdConnectUrl: "https://id.example/.well-known/openid-configuration",
  },
};

const requirements = [
  { schemes: { key: { list: ["call"] } } },
  { schemes: { oidc: { list: ["call"] }, basic: { list: [] } } },
  { schemes: { oauth: { list: [] } } },
  { schemes: { token: { list: [] } } },
];

const security = [{ key: ["call"] }, { oidc: ["call"], basic: [] }, { oauth: [] }, { token: [] }];
const skillSecurity = [{ key: ["call"] }, { oidc: ["book"] }];

async function cardAt(path: string, version?: string) {
  const headers = version === undefined ? {} : { "A2A-Version": version };
  return jsonOf(await send(serving.url, `GET /.well-known/${path}`, { headers }));
}

describe("a card says what is enforced", () => {
  it("in 1.0, each scheme in its wrapper", async () => {
    const card = await cardAt("agent-card.json", "1.0");
    expect(card.securitySchemes).toEqual(wrapped);
    expect(card.securityRequirements).toEqual(withoutEmptyLists(requirements));
    expect(card.skills[0].securityRequirements).toEqual([
      { schemes: { key: { list: ["call"] } } },
      { schemes: { oidc: { list: ["book"] } } },
    ]);
    expect(card).not.toHaveProperty("security");
  });

  it("in 0.3, as OpenAPI does", async () => {
    const card = await cardAt("agent-card.json", "0.3");
    expect(card.securitySchemes).toEqual(openApi);
    expect(card.security).toEqual(security);
    expect(card.skills[0].security).toEqual(skillSecurity);
    expect(card).not.toHaveProperty("securityRequirements");
  });

  it("to who does not say what it reads, in both forms at once", async () => {
    const card = await cardAt("agent-card.json");
    for (const name of Object.keys(wrapped) as (keyof typeof wrapped)[]) {
      expect(card.securitySchemes[name]).toEqual({ ...openApi[name], ...wrapped[name] });
    }
    expect(card.security).toEqual(security);
    expect(card.securityRequirements).toEqual(withoutEmptyLists(requirements));
  });

  it("in 0.1, as a list of names", async () => {
    const card = await cardAt("agent.json");
    expect(card.authentication.schemes.toSorted()).toEqual([
      "ApiKey",
      "Basic",
      "Bearer",
      "OAuth2",
      "OpenIdConnect",
    ]);
  });

  it("also to who may read the extended card, which is made for it", async () => {
    verifies("auth:client-discovers");
    const headers = { "X-API-Key": key };
    const later = await send(serving.url, "GET /extendedAgentCard", { headers });
    expect(jsonOf(later)).toMatchObject({
      description: "For key#ada",
      securitySchemes: wrapped,
    });
    expect(later.headers["cache-control"]).toMatch(/private/);
    const method = "agent/getAuthenticatedExtendedCard";
    const earlier = await send(serving.url, "POST /", rpc(method, undefined, headers));
    expect(jsonOf(earlier).result).toMatchObject({ securitySchemes: openApi, security });
    expect((await send(serving.url, "GET /extendedAgentCard")).status).toBe(401);
  });

  it.each([
    ["1.0", "GetExtendedAgentCard"],
    ["0.3", "GetAgentCard"],
  ] as const)("also over gRPC in %s", async (version, method) => {
    const grpc = new RawClient(addressOf(serving));
    const metadata = { "x-api-key": key };
    const { message, error } = await grpc.call(version, method, {}, { metadata });
    expect(error).toBeUndefined();
    expect(JSON.stringify(message)).toContain(addressOf(serving));
    expect(Object.keys(message?.["securitySchemes"] ?? {}).toSorted()).toEqual(
      Object.keys(wrapped).toSorted(),
    );
    grpc.close();
  });
});

it("the client reads from the card how to authenticate, and is let in", async () => {
  verifies("auth:client-discovers", "auth:client-sends");
  const remote = await connect(serving.url, { credentials: { key } });
  expect(await remote.text("Who am I?")).toBe("key#ada");
});

it("a certificate is a scheme, too, for which connections have to ask", () => {
  const auth = createAuthenticator({ schemes: { mtls: mutualTls({ subject: "uri" }) } });
  expect(auth.asksForCertificate).toBe(true);
  expect(auth.declareIn(travel.card([]))).toMatchObject({
    securitySchemes: { mtls: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { mtls: {} } }],
  });
});

/** In 1.0 an empty list may as well not be there. */
function withoutEmptyLists(list: typeof requirements): unknown {
  return JSON.parse(JSON.stringify(list).replaceAll('{"list":[]}', "{}"));
}
