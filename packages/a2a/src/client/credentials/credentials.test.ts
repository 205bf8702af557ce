import { describe, expect, it } from "vitest";
import type { AgentCard, SecurityRequirement, SecurityScheme } from "../../protocol/internal.js";
import { verifies } from "../../../test/spec/verifies.js";
import { authorizedFetch } from "./authorized-fetch.js";
import type { Secrets, TokenRequest } from "./secret.js";

const origin = "https://agent.example";

function cardOf(
  securitySchemes: Record<string, SecurityScheme>,
  ...alternatives: readonly (readonly string[])[]
): AgentCard {
  const securityRequirements: SecurityRequirement[] = alternatives.map((names) => ({
    schemes: Object.fromEntries(names.map((name) => [name, { list: ["trips"] }])),
  }));
  return {
    name: "Travel",
    description: "Books flights",
    version: "1",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    supportedInterfaces: [],
    securitySchemes,
    securityRequirements,
  };
}

/** Makes one call, and gives what was sent. */
async function call(
  card: AgentCard,
  secrets: Secrets,
  answers: Response[] = [],
  url = `${origin}/rpc`,
): Promise<{ readonly url: string; readonly headers: Record<string, string> }[]> {
  const sent: { url: string; headers: Record<string, string> }[] = [];
  const fetch = authorizedFetch(
    async (target, init) => {
      sent.push({ url: target, headers: Object.fromEntries(new Headers(init.headers)) });
      return answers.shift() ?? new Response("{}");
    },
    { card, credentials: secrets, origin },
  );
  await fetch(url, { headers: { "a2a-version": "1.0" } });
  return sent;
}

const bearer: SecurityScheme = { httpAuthSecurityScheme: { scheme: "bearer" } };
const keyIn = (location: "header" | "query" | "cookie"): SecurityScheme => ({
  apiKeySecurityScheme: { location, name: "X-Key" },
});

describe("what the card requires is sent", () => {
  it.each<[string, SecurityScheme, Secrets[string], object, string]>([
    ["a bearer token", bearer, "t", { authorization: "Bearer t" }, ""],
    ["a key in a header", keyIn("header"), "k", { "x-key": "k" }, ""],
    ["a key in the query", keyIn("query"), "k&", {}, "?X-Key=k%26"],
    ["a key in a cookie", keyIn("cookie"), "k;", { cookie: "X-Key=k%3B" }, ""],
    [
      "a name and a password",
      { httpAuthSecurityScheme: { scheme: "Basic" } },
      { username: "ada", password: "grüße" },
      { authorization: "Basic YWRhOmdyw7zDn2U=" },
      "",
    ],
    [
      "an OAuth token",
      { oauth2SecurityScheme: { flows: {} } },
      () => "o",
      { authorization: "Bearer o" },
      "",
    ],
    [
      "an OpenID Connect token",
      { openIdConnectSecurityScheme: { openIdConnectUrl: "https://id.example" } },
      async () => "i",
      { authorization: "Bearer i" },
      "",
    ],
  ])("%s", async (...[, scheme, secret, headers, query]) => {
    verifies("auth:client-sends");
    const sent = await call(cardOf({ one: scheme }, ["one"]), { one: secret });
    expect(sent).toEqual([
      { url: `${origin}/rpc${query}`, headers: { "a2a-version": "1.0", ...headers } },
    ]);
  });

  it("all of what is required together, the first alternative for which there are secrets", async () => {
    const card = cardOf({ bearer, key: keyIn("header") }, ["bearer"], ["bearer", "key"], ["key"]);
    const [first] = await call(card, { key: "k" });
    expect(first?.headers).toEqual({ "a2a-version": "1.0", "x-key": "k" });
    const both = cardOf({ bearer, key: keyIn("header") }, ["bearer", "key"]);
    const [second] = await call(both, { key: "k", bearer: "t" });
    expect(second?.headers).toMatchObject({ authorization: "Bearer t", "x-key": "k" });
  });

  it("nothing to an agent that requires nothing", async () => {
    const [first] = await call(cardOf({ bearer }), { bearer: "t" });
    expect(first?.headers).toEqual({ "a2a-version": "1.0" });
  });
});

it("names what the card requires when there is no secret for it", async () => {
  const card = cardOf({ bearer, key: keyIn("header") }, ["bearer"], ["key"]);
  await expect(call(card, { other: "x" })).rejects.toThrowError(
    'Travel requires "bearer" (HTTP bearer), or "key" (an API key in the header X-Key); ' +
      'connect() was given credentials for "other"',
  );
});

it("asks once for another token when one is refused, and says so to its source", async () => {
  const asked: TokenRequest[] = [];
  const source = (request: TokenRequest): string => `token ${asked.push(request)}`;
  const refusals = [new Response("", { status: 401 }), new Response("", { status: 401 })];
  const sent = await call(cardOf({ bearer }, ["bearer"]), { bearer: source }, refusals);
  expect(sent.map(({ headers }) => headers["authorization"])).toEqual([
    "Bearer token 1",
    "Bearer token 2",
  ]);
  expect(asked).toMatchObject([
    { origin, scopes: ["trips"], scheme: bearer },
    { origin, refused: "token 1" },
  ]);
});

it("does not repeat what is refused for a secret that stays the same", async () => {
  const refusal = new Response("", { status: 401 });
  const sent = await call(cardOf({ bearer }, ["bearer"]), { bearer: "t" }, [refusal]);
  expect(sent).toHaveLength(1);
});

it("sends a secret to no other origin, by itself or by a redirect", async () => {
  const card = cardOf({ bearer }, ["bearer"]);
  const elsewhere = call(card, { bearer: "t" }, [], "https://evil.example/rpc");
  await expect(elsewhere).rejects.toThrowError(
    "the credentials are for https://agent.example and are not sent to https://evil.example",
  );
  const headers = { Location: "https://evil.example/" };
  const redirect = new Response(null, { status: 307, headers });
  await expect(call(card, { bearer: "t" }, [redirect])).rejects.toThrowError(
    "https://agent.example redirects to https://evil.example/; a request with credentials follows no redirects",
  );
});
