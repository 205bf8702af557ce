import { describe, expect, test } from "vitest";
import { agent } from "@parley/a2a/server";
import { createAuthenticator, httpBearer, introspection, openIdConnect } from "@parley/a2a/auth";
import type { Authenticator } from "@parley/a2a/auth";
import { clients } from "../support/auth/identity-provider/clients.js";
import {
  openIdentityProvider,
  opaqueResource,
} from "../support/auth/identity-provider/open-identity-provider.js";
import type { IdentityProvider } from "../support/auth/identity-provider/open-identity-provider.js";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

const whoami = agent({
  name: "Whoami",
  description: "Says who calls",
  run: ({ caller }) => `${caller?.subject} may ${caller?.scopes?.join(" and ")}`,
});

/** The token of a program, as the provider gives it. */
async function tokenFrom(
  { issuer }: IdentityProvider,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { client_id: id, client_secret: secret } = clients.machine;
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "call", ...more }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

async function open(auth: Authenticator) {
  const server = await openServer({ agent: whoami, auth });
  const ask = async (token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await send(server.url, "POST /", rpc("SendMessage", say("?"), headers));
    return {
      status: answer.status,
      challenge: answer.headers["www-authenticate"],
      text: jsonOf(answer).result?.message.parts[0].text as string | undefined,
    };
  };
  return { ask, [Symbol.asyncDispose]: () => server.close() };
}

const refused = {
  status: 401,
  challenge: 'Bearer realm="A2A", error="invalid_token", scope="call"',
  text: undefined,
};

describe("signed tokens of a real provider", () => {
  const requirements = [{ oidc: ["call"] }];

  test("are checked with the keys that its discovery document leads to", async () => {
    await using provider = await openIdentityProvider();
    const { issuer, audience } = provider;
    const auth = createAuthenticator({
      schemes: { oidc: openIdConnect({ issuer, audience }) },
      requirements,
    });
    await using server = await open(auth);
    const token = await tokenFrom(provider);
    const text = `${issuer}#machine may call`;
    expect(await server.ask(token)).toMatchObject({ status: 200, text });
    await server.ask(token);
    const asked = provider.requests.filter((one) => one.startsWith("GET"));
    expect(asked).toEqual(["GET /.well-known/openid-configuration", "GET /jwks"]);

    // Another's audience, a scope too few, a changed byte, an opaque token.
    const other = createAuthenticator({
      schemes: { oidc: openIdConnect({ issuer, audience: "https://other.example/" }) },
      requirements,
    });
    await using elsewhere = await open(other);
    expect(await elsewhere.ask(token)).toEqual(refused);
    expect(await server.ask(await tokenFrom(provider, { scope: "operate" }))).toEqual({
      status: 403,
      challenge: 'Bearer realm="A2A", error="insufficient_scope", scope="call"',
      text: undefined,
    });
    const [head, body, signature = ""] = token.split(".");
    const changed = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    expect(await server.ask([head, body, changed].join("."))).toEqual(refused);
    expect(await server.ask(await tokenFrom(provider, { resource: opaqueResource }))).toEqual(
      refused,
    );
  });

  test("go on being good when the provider changes its keys, until it withdraws them", async () => {
    await using provider = await openIdentityProvider();
    const { issuer, audience } = provider;
    const jwksMaxAgeMs = 60_000;
    const oidc = openIdConnect({ issuer, audience, jwksMaxAgeMs, jwksCooldownMs: 0 });
    await using server = await open(createAuthenticator({ schemes: { oidc }, requirements }));
    const before = await tokenFrom(provider);
    expect((await server.ask(before)).status).toBe(200);
    await provider.rotateKeys();
    const after = await tokenFrom(provider);
    expect((await server.ask(after)).status).toBe(200);
    expect((await server.ask(before)).status).toBe(200);
    await provider.rotateKeys({ withdraw: true });
    const last = await tokenFrom(provider);
    // The new key makes the server ask again, and so it learns that the earlier ones are gone.
    expect((await server.ask(last)).status).toBe(200);
    expect(await server.ask(before)).toEqual(refused);
    expect(await server.ask(after)).toEqual(refused);
  });

  test("of a provider that is down are neither right nor wrong", async () => {
    const provider = await openIdentityProvider();
    const { issuer, audience } = provider;
    const token = await tokenFrom(provider);
    await provider[Symbol.asyncDispose]();
    const oidc = openIdConnect({ issuer, audience });
    await using server = await open(createAuthenticator({ schemes: { oidc }, requirements }));
    expect((await server.ask(token)).status).toBe(503);
  });
});

describe("opaque tokens of a real provider", () => {
  test("are asked about, remembered, and forgotten when they are revoked", async () => {
    verifies("security:credentials-revocable");
    await using provider = await openIdentityProvider();
    const { issuer } = provider;
    const { client_id: clientId, client_secret: clientSecret } = clients.resource;
    let now = Date.now();
    const verify = introspection({
      issuer,
      clientId,
      clientSecret,
      audience: opaqueResource,
      cacheMs: 1000,
      now: () => now,
    });
    const auth = createAuthenticator({
      schemes: { token: httpBearer({ verify }) },
      requirements: [{ token: ["call"] }],
    });
    await using server = await open(auth);
    const token = await tokenFrom(provider, { resource: opaqueResource });
    expect(await server.ask(token)).toMatchObject({
      status: 200,
      text: `${issuer}#machine may call`,
    });
    await server.ask(token);
    const asked = () => provider.requests.filter((one) => one.endsWith("/introspection")).length;
    expect(asked()).toBe(1);
    expect(await server.ask("made-up")).toEqual(refused);

    const { machine } = clients;
    await fetch(`${issuer}/token/revocation`, {
      method: "POST",
      headers: {
        authorization: `Basic ${btoa(`machine:${encodeURIComponent(machine.client_secret)}`)}`,
      },
      body: new URLSearchParams({ token }),
    });
    expect((await server.ask(token)).status).toBe(200);
    now += 1000;
    expect(await server.ask(token)).toEqual(refused);
  });
});
