import { exportJWK, generateKeyPair } from "jose";
import { PrivateKeyJwt } from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { httpBearer, introspection, oauth2, openIdConnect } from "@parley/a2a/auth";
import type { OAuth2Options } from "../../src/auth/schemes/oauth2.js";
import { connect } from "@parley/a2a/client";
import type { Secrets } from "@parley/a2a/client";
import {
  authorizationCode,
  clientCredentials,
  createMemoryTokenStore,
  deviceCode,
  pageRedirect,
} from "@parley/a2a/client/oauth";
import type { StoredTokens, TokenStore } from "@parley/a2a/client/oauth";
import { loopbackRedirect } from "@parley/a2a/client/node";
import { clients, redirectUri, signer } from "../support/auth/identity-provider/clients.js";
import {
  opaqueResource,
  openIdentityProvider,
} from "../support/auth/identity-provider/open-identity-provider.js";
import type { IdentityProvider } from "../support/auth/identity-provider/open-identity-provider.js";
import { browse } from "../support/auth/identity-provider/user.js";
import { verifies } from "../spec/verifies.js";
import { ManualTimers } from "../support/time/manual-timers.js";
import { openSecuredAgent, verifierOf } from "../support/servers/open-secured-agent.js";

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await openIdentityProvider();
});
afterAll(async () => {
  await provider[Symbol.asyncDispose]();
});

let seen = 0;
beforeEach(() => {
  seen = provider.requests.length;
});

/** How often an endpoint was asked in this test. */
function asked(request: string): number {
  return provider.requests.slice(seen).filter((one) => one === request).length;
}

const machine = {
  clientId: clients.machine.client_id,
  clientSecret: clients.machine.client_secret,
};
const terminal = { clientId: clients.terminal.client_id };
const application = { clientId: clients.application.client_id };

/** Signs in on another device as soon as there is a code. */
const onCode = async ({ verificationUriComplete = "" }): Promise<void> => {
  await browse(verificationUriComplete);
};

/** A user at a browser, who is not waited for. */
const open = (url: URL): void => void browse(url.href);

async function call(url: string, credentials: Secrets): Promise<string> {
  const agent = await connect(url, { credentials });
  return agent.text("hi");
}

/** Clock that do not wait. */
const hurried = (): ManualTimers => new ManualTimers().rush();

describe("signs in and calls", () => {
  it("as a program, with client credentials", async () => {
    await using agent = await openSecuredAgent(provider);
    const sso = clientCredentials({ ...machine, issuer: provider.issuer });
    expect(await call(agent.url, { sso })).toBe("hello machine");
    expect(await call(agent.url, { sso })).toBe("hello machine");
    expect(asked("POST /token")).toBe(1);
  });

  it("as a user with a code for another device", async () => {
    verifies("auth:client-discovers");
    await using agent = await openSecuredAgent(provider);
    const sso = deviceCode({ ...terminal, onCode, clock: hurried() });
    expect(await call(agent.url, { sso })).toBe("hello ada");
  });

  it("as a user whose browser comes back to the loopback interface", async () => {
    await using agent = await openSecuredAgent(provider);
    const sso = authorizationCode({ ...application, receiver: loopbackRedirect({ open }) });
    expect(await call(agent.url, { sso })).toBe("hello ada");
  });

  it("as a user of a page that goes to sign in and comes back", async () => {
    verifies("card:pkce");
    await using agent = await openSecuredAgent(provider);
    const storage = memoryStorage();
    const page = {
      href: "https://app.example/start",
      assign: vi.fn<(url: string | URL) => void>(),
    };
    const history = { replaceState: vi.fn<History["replaceState"]>() };
    const load = (href: string): Secrets => {
      const location = { ...page, href };
      const receiver = pageRedirect({ redirectUri, location, history, storage });
      return { sso: authorizationCode({ ...application, receiver }) };
    };
    void call(agent.url, load("https://app.example/start")).catch(() => undefined);
    await expect.poll(() => page.assign).toHaveBeenCalledOnce();
    const asked = String(page.assign.mock.calls[0]?.[0]);
    expect(new URL(asked).searchParams.get("code_challenge_method")).toBe("S256");
    const back = await browse(asked);
    expect(back.url.startsWith(`${redirectUri}?`)).toBe(true);

    expect(await call(agent.url, load(back.url))).toBe("hello ada");
    expect(history.replaceState.mock.calls).toEqual([[null, "", redirectUri]]);
    expect(storage.size).toBe(0);
  });

  it.each<[string, (issuer: string) => Partial<OAuth2Options>]>([
    ["whose endpoints stand in the card", () => ({})],
    [
      "whose metadata the card leads to",
      (issuer) => ({ oauth2MetadataUrl: `${issuer}/.well-known/openid-configuration` }),
    ],
  ])("at a server %s", async (_, more) => {
    const { issuer } = provider;
    const authorizationCodeFlow = {
      authorizationUrl: `${issuer}/auth`,
      tokenUrl: `${issuer}/token`,
      scopes: {},
    };
    const scheme = oauth2({
      flows: { authorizationCode: authorizationCodeFlow },
      verify: verifierOf(provider),
      ...more(issuer),
    });
    await using agent = await openSecuredAgent(provider, scheme);
    const receiver = loopbackRedirect({ open });
    const sso = authorizationCode({ ...application, receiver, scopes: ["openid"] });
    expect(await call(agent.url, { sso })).toBe("hello ada");
  });

  it("at a server whose endpoints for devices stand in the card", async () => {
    const { issuer } = provider;
    const deviceFlow = {
      deviceAuthorizationUrl: `${issuer}/device/auth`,
      tokenUrl: `${issuer}/token`,
      scopes: {},
    };
    const scheme = oauth2({ flows: { deviceCode: deviceFlow }, verify: verifierOf(provider) });
    await using agent = await openSecuredAgent(provider, scheme);
    const sso = deviceCode({ ...terminal, onCode, clock: hurried(), scopes: ["openid"] });
    expect(await call(agent.url, { sso })).toBe("hello ada");
  });

  it("as a program that signs with a key in place of a secret", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    await using own = await openIdentityProvider({ signerKey: await exportJWK(publicKey) });
    await using agent = await openSecuredAgent(own);
    const sso = clientCredentials({
      issuer: own.issuer,
      clientId: signer.client_id,
      authenticateClient: PrivateKeyJwt(privateKey),
    });
    expect(await call(agent.url, { sso })).toBe("hello signer");
  });

  it("with an opaque token for the resource that it names, which the agent asks about", async () => {
    const { issuer } = provider;
    const { client_id: clientId, client_secret: clientSecret } = clients.resource;
    const verify = introspection({ issuer, clientId, clientSecret, audience: opaqueResource });
    await using agent = await openSecuredAgent(provider, openIdConnect({ issuer, verify }));
    const parameters = { resource: opaqueResource };
    const sso = clientCredentials({ ...machine, issuer, parameters });
    expect(await call(agent.url, { sso })).toBe("hello machine");
  });

  it("at an issuer that the caller names, where the card only says Bearer", async () => {
    const scheme = httpBearer({ verify: verifierOf(provider), bearerFormat: "JWT" });
    await using agent = await openSecuredAgent(provider, scheme);
    const sso = clientCredentials({ ...machine, issuer: provider.issuer });
    expect(await call(agent.url, { sso })).toBe("hello machine");
  });
});

describe("waits for a user with a code", () => {
  it("asking as often as it may until they have signed in", async () => {
    await using agent = await openSecuredAgent(provider);
    const timers = new ManualTimers();
    let code = "";
    const sso = deviceCode({
      ...terminal,
      clock: timers,
      onCode: ({ verificationUriComplete = "" }) => void (code = verificationUriComplete),
    });
    const answer = call(agent.url, { sso });
    await expect.poll(() => timers.delays).toEqual([5000]);
    await timers.advance(5000);
    await expect.poll(() => timers.delays).toEqual([5000, 5000]);
    expect(asked("POST /token")).toBe(1);
    await browse(code);
    await timers.advance(5000);
    expect(await answer).toBe("hello ada");
    expect(asked("POST /token")).toBe(2);
  });

  it("no longer than the code is good for", async () => {
    await using agent = await openSecuredAgent(provider);
    const sso = deviceCode({ ...terminal, onCode: () => undefined, clock: hurried() });
    await expect(call(agent.url, { sso })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringMatching(
        /^the code [\w-]+ expired before anybody entered it; sign in again$/,
      ),
    });
  });

  it("and says when they refuse", async () => {
    await using agent = await openSecuredAgent(provider);
    const refuse = async ({ verificationUriComplete = "" }) => {
      await browse(verificationUriComplete, { consents: false });
    };
    const sso = deviceCode({ ...terminal, onCode: refuse, clock: hurried() });
    await expect(call(agent.url, { sso })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: expect.stringMatching(/gives no token: access_denied/),
    });
  });
});

describe("keeps tokens", () => {
  it("and refreshes them before they expire, once for all who call", async () => {
    verifies("security:credentials-rotated");
    await using agent = await openSecuredAgent(provider);
    const timers = hurried();
    const sso = deviceCode({ ...terminal, onCode, clock: timers });
    const remote = await connect(agent.url, { credentials: { sso } });
    expect(await remote.text("hi")).toBe("hello ada");
    await timers.advance(500_000);
    await remote.text("hi");
    expect(asked("POST /token")).toBe(1);
    await timers.advance(50_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remote.text("hi")));
    expect(new Set(answers)).toEqual(new Set(["hello ada"]));
    expect(asked("POST /token")).toBe(2);
    expect(asked("POST /device/auth")).toBe(1);
  });

  it("and uses one that is still good when it cannot be renewed", async () => {
    await using agent = await openSecuredAgent(provider);
    const timers = new ManualTimers();
    let isDown = false;
    const sso = clientCredentials({
      ...machine,
      issuer: provider.issuer,
      clock: timers,
      fetch: (url, init) =>
        isDown ? Promise.reject(new TypeError("fetch failed")) : fetch(url, init),
    });
    const remote = await connect(agent.url, { credentials: { sso }, clock: hurried() });
    await remote.text("hi");
    isDown = true;
    await timers.advance(570_000);
    expect(await remote.text("hi")).toBe("hello machine");
    await timers.advance(30_000);
    await expect(remote.text("hi")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("and asks the user again when their grant is gone", async () => {
    await using agent = await openSecuredAgent(provider);
    const timers = hurried();
    const sso = deviceCode({ ...terminal, onCode, clock: timers });
    const remote = await connect(agent.url, { credentials: { sso } });
    await remote.text("hi");
    provider.revokeGrants("ada");
    await timers.advance(590_000);
    expect(await remote.text("hi")).toBe("hello ada");
    expect(asked("POST /device/auth")).toBe(2);
  });

  it("in a store that it is given, for the next one to use", async () => {
    await using agent = await openSecuredAgent(provider);
    const kept = new Map<string, StoredTokens>();
    const memory = createMemoryTokenStore();
    const store = {
      ...memory,
      save: async (key: string, tokens: StoredTokens) => {
        kept.set(key, tokens);
        await memory.save(key, tokens);
      },
    };
    const options = { ...terminal, onCode, clock: hurried(), store };
    await call(agent.url, { sso: deviceCode(options) });
    await call(agent.url, { sso: deviceCode(options) });
    expect(asked("POST /device/auth")).toBe(1);
    const [key = "", tokens] = [...kept].at(-1) ?? [];
    expect(JSON.parse(key)).toContain(new URL(agent.url).origin);
    expect(tokens).toMatchObject({ refreshToken: expect.any(String) });
  });

  it("one for each agent, so that none is told another's", async () => {
    await using one = await openSecuredAgent(provider);
    await using other = await openSecuredAgent(provider);
    const sso = clientCredentials({ ...machine, issuer: provider.issuer });
    await call(one.url, { sso });
    await call(other.url, { sso });
    expect(asked("POST /token")).toBe(2);
  });

  it("and gets another when the provider has withdrawn the key of the first", async () => {
    await using agent = await openSecuredAgent(provider);
    const sso = deviceCode({ ...terminal, onCode, clock: hurried() });
    const remote = await connect(agent.url, { credentials: { sso } });
    expect(await remote.text("hi")).toBe("hello ada");
    await provider.rotateKeys();
    expect(await remote.text("hi")).toBe("hello ada");
    expect(asked("POST /token")).toBe(1);
    // The agent's server forgets the withdrawn key when it meets one that it does not know.
    await provider.rotateKeys({ withdraw: true });
    await call(agent.url, { sso: clientCredentials({ ...machine, issuer: provider.issuer }) });
    const answers = await Promise.all(Array.from({ length: 5 }, () => remote.text("hi")));
    expect(new Set(answers)).toEqual(new Set(["hello ada"]));
    expect(agent.verdicts).toContain("invalid");
    expect(asked("POST /device/auth")).toBe(1);
    expect(asked("POST /token")).toBe(3);
  });
});

it("asks nobody to sign in again for an agent that refuses the token they just signed in for", async () => {
  await using agent = await openSecuredAgent(provider);
  const opened: URL[] = [];
  const receiver = loopbackRedirect({
    open: (url) => {
      opened.push(url);
      open(url);
    },
  });
  const timers = hurried();
  // A token for another resource, which the agent does not take, and none to refresh it with.
  const sso = authorizationCode({
    ...application,
    receiver,
    clock: timers,
    parameters: { resource: "https://other.example/" },
    store: withoutRefreshTokens(),
  });
  const remote = await connect(agent.url, { credentials: { sso } });
  await expect(remote.text("hi")).rejects.toThrowError(
    /refuses a token for which the user has just signed in$/,
  );
  expect(opened).toHaveLength(1);
});

it("lets one caller give up while another waits, and stops when nobody does", async () => {
  await using agent = await openSecuredAgent(provider);
  const timers = new ManualTimers();
  const sso = deviceCode({ ...terminal, onCode: () => undefined, clock: timers });
  const remote = await connect(agent.url, { credentials: { sso } });
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [first, second].map(({ signal }) => remote.text("hi", { signal }));
  await expect.poll(() => timers.pending).toBe(1);
  first.abort(new Error("gave up"));
  await expect(calls[0]).rejects.toThrowError("gave up");
  expect(timers.pending).toBe(1);
  second.abort(new Error("gave up, too"));
  await expect(calls[1]).rejects.toThrowError("gave up, too");
  await expect.poll(() => timers.pending).toBe(0);
  expect(asked("POST /device/auth")).toBe(1);
});

/** A store that forgets what tokens could be refreshed with. */
function withoutRefreshTokens(): TokenStore {
  const memory = createMemoryTokenStore();
  return {
    ...memory,
    save: (key, { accessToken, obtainedAt }) => memory.save(key, { accessToken, obtainedAt }),
  };
}

function memoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
    get size() {
      return items.size;
    },
  };
}
