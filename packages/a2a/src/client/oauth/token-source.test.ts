import { describe, expect, it, vi } from "vitest";
import type { SecurityScheme } from "../../protocol/internal.js";
import type { TokenRequest } from "../credentials/secret.js";
import { authorizationCode } from "./authorization-code.js";
import { clientCredentials } from "./client-credentials.js";
import { deviceCode } from "./device-code.js";
import type { DeviceCodeOptions } from "./device-code.js";

const scheme: SecurityScheme = {
  openIdConnectSecurityScheme: { openIdConnectUrl: "https://id.example" },
};
const request: TokenRequest = { scheme, scopes: ["trips"], origin: "https://agent.example" };
const issuer = "https://id.example";

/** An authorization server in a few lines: its metadata, and what its endpoints answer. */
function serverOf(answers: Readonly<Record<string, () => Response>>, metadata: object = {}) {
  const sent: {
    readonly url: string;
    readonly body: string;
    readonly authorization: string | null;
  }[] = [];
  const fetch = vi.fn(async (url: string, init: RequestInit): Promise<Response> => {
    if (url === `${issuer}/.well-known/openid-configuration`) {
      return Response.json({
        issuer,
        token_endpoint: `${issuer}/token`,
        device_authorization_endpoint: `${issuer}/device`,
        authorization_endpoint: `${issuer}/authorize`,
        ...metadata,
      });
    }
    const authorization = new Headers(init.headers).get("authorization");
    sent.push({ url, body: (init.body as URLSearchParams).toString(), authorization });
    return answers[url]?.() ?? new Response("", { status: 404 });
  });
  return { sent, fetch };
}

const token = (more: object = {}): Response =>
  Response.json({ access_token: "t", token_type: "Bearer", expires_in: 60, ...more });

describe("a client's secret", () => {
  it("needs an issuer that it is for", () => {
    const options: object = { clientId: "c", clientSecret: "s", onCode: () => undefined };
    expect(() => deviceCode(options as DeviceCodeOptions)).toThrowError(
      "a client with a secret has to name the issuer that the secret is for",
    );
  });

  it("goes where the issuer's metadata say, in the way they say", async () => {
    const { sent, fetch } = serverOf(
      { "https://tokens.example/": () => token() },
      {
        token_endpoint: "https://tokens.example/",
        token_endpoint_auth_methods_supported: ["client_secret_post"],
      },
    );
    const source = clientCredentials({ issuer, clientId: "c", clientSecret: "s", fetch });
    expect(await source(request)).toBe("t");
    const { url, body, authorization } = sent[0] ?? { url: "", body: "", authorization: "" };
    expect([url, authorization]).toEqual(["https://tokens.example/", null]);
    expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
      grant_type: "client_credentials",
      client_id: "c",
      client_secret: "s",
      scope: "openid trips",
    });
  });

  it("does not follow a redirect of the token endpoint", async () => {
    const { sent, fetch } = serverOf({
      [`${issuer}/token`]: () =>
        new Response(null, { status: 307, headers: { Location: "https://evil.example/" } }),
    });
    const source = clientCredentials({ issuer, clientId: "c", clientSecret: "s", fetch });
    await expect(source(request)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(sent.map(({ url }) => url)).toEqual([`${issuer}/token`]);
    for (const [, init] of fetch.mock.calls) expect(init.redirect).toBe("manual");
  });
});

it("says what the server says, and that one in trouble is unavailable", async () => {
  const refusal = Response.json(
    { error: "invalid_client", error_description: "who?" },
    { status: 400 },
  );
  const answers = [refusal, new Response("", { status: 503, headers: { "Retry-After": "7" } })];
  const { fetch } = serverOf({ [`${issuer}/token`]: () => answers.shift() ?? token() });
  const source = clientCredentials({ issuer, clientId: "c", clientSecret: "s", fetch });
  await expect(source(request)).rejects.toMatchObject({
    code: "UNAUTHENTICATED",
    message: "https://id.example gives no token: invalid_client: who?",
  });
  await expect(source(request)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    details: { retryAfterSeconds: 7 },
  });
  expect(await source(request)).toBe("t");
});

it("asks for what the card and the caller require, and sends what the caller adds", async () => {
  const { sent, fetch } = serverOf({ [`${issuer}/token`]: () => token() });
  const source = clientCredentials({
    issuer,
    clientId: "c",
    clientSecret: "s",
    fetch,
    scopes: ["trips", "more"],
    parameters: { resource: "https://agent.example/" },
  });
  await source(request);
  expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toMatchObject({
    scope: "openid trips more",
    resource: "https://agent.example/",
  });
});

it("sends no user to what is no web page", async () => {
  const receive = vi.fn<() => Promise<string>>();
  const receiver = async () => ({ redirectUri: "https://app.example/", receive });
  const page = serverOf({}, { authorization_endpoint: "javascript:alert(1)" });
  const source = authorizationCode({ clientId: "c", receiver, fetch: page.fetch });
  await expect(source(request)).rejects.toThrowError(
    'the authorization endpoint "javascript:alert(1)" is not an https URL',
  );
  expect(receive).not.toHaveBeenCalled();

  const onCode = vi.fn<() => void>();
  const device = serverOf({
    [`${issuer}/device`]: () =>
      Response.json({
        device_code: "d",
        user_code: "u",
        verification_uri: "file:///etc/passwd",
        expires_in: 60,
      }),
  });
  const other = deviceCode({ clientId: "c", onCode, fetch: device.fetch });
  await expect(other(request)).rejects.toThrowError(/"file:\/\/\/etc\/passwd" is not an https URL/);
  expect(onCode).not.toHaveBeenCalled();
});

it("believes no answer with another's state", async () => {
  const { sent, fetch } = serverOf({ [`${issuer}/token`]: () => token() });
  const closed = vi.fn<() => Promise<void>>();
  const receiver = async () => ({
    redirectUri: "https://app.example/",
    receive: async () => "https://app.example/?code=stolen&state=other",
    close: closed,
  });
  const source = authorizationCode({ clientId: "c", receiver, fetch });
  await expect(source(request)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect(sent).toEqual([]);
  expect(closed).toHaveBeenCalledOnce();
});
