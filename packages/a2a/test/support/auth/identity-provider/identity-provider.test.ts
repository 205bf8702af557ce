import { createRemoteJWKSet, jwtVerify } from "jose";
import { expect, it } from "vitest";
import { clients, redirectUri } from "./clients.js";
import { openIdentityProvider, opaqueResource } from "./open-identity-provider.js";
import { browse } from "./user.js";

async function post(url: string, body: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: "POST", body: new URLSearchParams(body) });
  return (await response.json()) as Record<string, unknown>;
}

const { machine, terminal, application, resource } = clients;
const basic = (id: string, secret: string): string =>
  `Basic ${btoa(`${id}:${encodeURIComponent(secret)}`)}`;

async function machineToken(issuer: string, more: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    headers: { authorization: basic(machine.client_id, machine.client_secret) },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "call", ...more }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}

it("gives a program a signed token, and rotates the key it is signed with", async () => {
  await using provider = await openIdentityProvider();
  const { issuer, audience } = provider;
  const verify = async (token: string) =>
    jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), { issuer, audience });
  const first = await machineToken(issuer);
  expect((await verify(first)).payload).toMatchObject({ sub: "machine", scope: "call" });
  await provider.rotateKeys();
  const second = await machineToken(issuer);
  const kids = [await verify(first), await verify(second)].map(
    ({ protectedHeader }) => protectedHeader.kid,
  );
  expect(kids[0]).not.toBe(kids[1]);
  await provider.rotateKeys({ withdraw: true });
  await expect(verify(second)).rejects.toThrow("no applicable key");
});

it("introspects opaque tokens", async () => {
  await using provider = await openIdentityProvider();
  const token = await machineToken(provider.issuer, { resource: opaqueResource });
  expect(token).not.toContain(".");
  const response = await fetch(`${provider.issuer}/token/introspection`, {
    method: "POST",
    headers: { authorization: basic(resource.client_id, resource.client_secret) },
    body: new URLSearchParams({ token }),
  });
  expect(await response.json()).toMatchObject({
    active: true,
    client_id: "machine",
    scope: "call",
  });
});

it("lets a user sign in on another device", async () => {
  await using provider = await openIdentityProvider();
  const { issuer } = provider;
  const client_id = terminal.client_id;
  const started = await post(`${issuer}/device/auth`, { client_id, scope: "openid call" });
  const exchange = () =>
    post(`${issuer}/token`, {
      client_id,
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: String(started["device_code"]),
    });
  expect(await exchange()).toMatchObject({ error: "authorization_pending" });
  expect((await browse(String(started["verification_uri_complete"]))).text).toBe("Signed in.");
  const tokens = await exchange();
  expect(tokens).toMatchObject({ token_type: "Bearer", refresh_token: expect.any(String) });
});

it("lets a user sign in in a browser, or say no", async () => {
  await using provider = await openIdentityProvider();
  const url = new URL(`${provider.issuer}/auth`);
  url.search = new URLSearchParams({
    client_id: application.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid call",
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  }).toString();
  expect((await browse(url.href)).url).toMatch(/^https:\/\/app\.example\/callback\?code=/);
  const denied = await browse(url.href, { consents: false });
  expect(new URL(denied.url).searchParams.get("error")).toBe("access_denied");
});
