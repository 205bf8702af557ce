import { describe, expect, it, vi } from "vitest";
import { ManualTimers } from "../../../test/support/time/manual-timers.js";
import type { SecurityScheme } from "../../protocol/internal.js";
import type { TokenRequest } from "../credentials/secret.js";
import { authorizationCode } from "./authorization-code.js";
import { clientCredentials } from "./client-credentials.js";
import { deviceCode } from "./device-code.js";
import { pageRedirect } from "./page-redirect.js";
import { createMemoryTokenStore } from "./token-store.js";
import type { StoredTokens } from "./token-store.js";

const issuer = "https://id.example";
const scheme: SecurityScheme = { openIdConnectSecurityScheme: { openIdConnectUrl: issuer } };
const request: TokenRequest = { scheme, scopes: ["trips"], origin: "https://agent.example" };

type Answer = Readonly<Record<string, unknown>> | number;

/** An authorization server that gives a code for devices, and to each request for a token the next answer. */
function serverOf(...answers: Answer[]) {
  const posted: Record<string, string>[] = [];
  let discoveries = 0;
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    if (url.includes("/.well-known/")) {
      discoveries += 1;
      return Response.json({
        issuer,
        token_endpoint: `${issuer}/token`,
        device_authorization_endpoint: `${issuer}/device`,
        authorization_endpoint: `${issuer}/authorize`,
      });
    }
    if (url === `${issuer}/device`) {
      const verification_uri = `${issuer}/activate`;
      return Response.json({ device_code: "d", user_code: "u", verification_uri, expires_in: 600 });
    }
    posted.push(Object.fromEntries(init.body as URLSearchParams));
    const answer = answers.shift();
    if (typeof answer === "number") return new Response("", { status: answer });
    const status = answer !== undefined && "error" in answer ? 400 : 200;
    return Response.json({ token_type: "Bearer", ...answer }, { status });
  };
  return { fetch, posted, discoveries: () => discoveries };
}

const user = () => vi.fn<() => void>();

describe("an access token", () => {
  it("of a user who cannot renew it is used to its end", async () => {
    const timers = new ManualTimers().rush();
    const server = serverOf({ access_token: "a", expires_in: 100 }, { access_token: "b" });
    const onCode = user();
    const source = deviceCode({ clientId: "c", onCode, clock: timers, fetch: server.fetch });
    expect(await source(request)).toBe("a");
    await timers.advance(99_000);
    expect(await source(request)).toBe("a");
    await timers.advance(1000);
    expect(await source(request)).toBe("b");
    expect(onCode).toHaveBeenCalledTimes(2);
  });

  it("that lives shortly is renewed after half its life", async () => {
    const timers = new ManualTimers();
    const server = serverOf({ access_token: "a", expires_in: 20 }, { access_token: "b" });
    const source = clientCredentials({
      issuer,
      clientId: "c",
      clientSecret: "s",
      clock: timers,
      fetch: server.fetch,
    });
    await source(request);
    await timers.advance(9000);
    expect(await source(request)).toBe("a");
    await timers.advance(1000);
    expect(await source(request)).toBe("b");
  });

  it("is for the scopes that it was asked for", async () => {
    const server = serverOf({ access_token: "a" }, { access_token: "b" });
    const options = { issuer, clientId: "c", clientSecret: "s", fetch: server.fetch };
    const source = clientCredentials(options);
    expect(await source(request)).toBe("a");
    expect(await source({ ...request, scopes: ["trips", "money"] })).toBe("b");
    expect(await source({ ...request, scopes: ["trips"] })).toBe("a");
    expect(server.posted.map(({ scope }) => scope)).toEqual(["openid trips", "openid trips money"]);
  });
});

describe("a refresh token", () => {
  const first = { access_token: "a", expires_in: 100, refresh_token: "r" };

  it("is kept when there is no newer one", async () => {
    const timers = new ManualTimers().rush();
    const server = serverOf(
      first,
      { access_token: "b", expires_in: 100 },
      { access_token: "c", expires_in: 100, refresh_token: "r2" },
      { access_token: "d", expires_in: 100 },
    );
    const source = deviceCode({
      clientId: "c",
      onCode: user(),
      clock: timers,
      fetch: server.fetch,
    });
    for (const expected of ["a", "b", "c", "d"]) {
      expect(await source(request)).toBe(expected);
      await timers.advance(60_000);
    }
    expect(server.posted.map((one) => one["refresh_token"])).toEqual([undefined, "r", "r", "r2"]);
  });

  it("asks the user again only when it is the refresh token that is refused", async () => {
    const timers = new ManualTimers().rush();
    const server = serverOf(first, { error: "invalid_client" }, { error: "invalid_grant" }, first);
    const onCode = user();
    const source = deviceCode({ clientId: "c", onCode, clock: timers, fetch: server.fetch });
    await source(request);
    await timers.advance(100_000);
    await expect(source(request)).rejects.toThrowError(/invalid_client/);
    expect(onCode).toHaveBeenCalledTimes(1);
    expect(await source(request)).toBe("a");
    expect(onCode).toHaveBeenCalledTimes(2);
  });

  it("is not used when somebody else has used it meanwhile", async () => {
    const timers = new ManualTimers().rush();
    const server = serverOf(first);
    const memory = createMemoryTokenStore();
    const other: StoredTokens = { accessToken: "theirs", obtainedAt: timers.now() + 90_000 };
    let isShared = false;
    const store = {
      ...memory,
      exclusive: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
        if (isShared) await memory.save(key, other);
        return work();
      },
    };
    const source = deviceCode({
      clientId: "c",
      onCode: user(),
      clock: timers,
      store,
      fetch: server.fetch,
    });
    await source(request);
    isShared = true;
    await timers.advance(90_000);
    expect(await source(request)).toBe("theirs");
    expect(server.posted).toHaveLength(1);
  });
});

it("asks for a server's metadata again after ten minutes", async () => {
  const timers = new ManualTimers();
  const server = serverOf({ access_token: "a" }, { access_token: "b" }, { access_token: "c" });
  const { fetch } = server;
  const source = clientCredentials({
    issuer,
    clientId: "c",
    clientSecret: "s",
    clock: timers,
    fetch,
  });
  await source(request);
  await source({ ...request, origin: "https://second.example" });
  expect(server.discoveries()).toBe(1);
  await timers.advance(600_000);
  await source({ ...request, origin: "https://third.example" });
  expect(server.discoveries()).toBe(2);
});

it("takes a server that has had enough for one that is not there", async () => {
  const server = serverOf(429);
  const options = { issuer, clientId: "c", clientSecret: "s", fetch: server.fetch };
  await expect(clientCredentials(options)(request)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("waits longer for a user when the server asks for it, or is not there for a while", async () => {
  const timers = new ManualTimers().rush();
  const server = serverOf({ error: "authorization_pending" }, { error: "slow_down" }, 503, {
    access_token: "a",
  });
  const source = deviceCode({ clientId: "c", onCode: user(), clock: timers, fetch: server.fetch });
  expect(await source(request)).toBe("a");
  expect(timers.delays).toEqual([5000, 5000, 10_000, 15_000]);
});

it("does not compare names with a server that has told none", async () => {
  const server = serverOf({ access_token: "a", id_token: "not looked at" });
  const flow = { authorizationUrl: `${issuer}/authorize`, tokenUrl: `${issuer}/token`, scopes: {} };
  const source = authorizationCode({
    clientId: "c",
    fetch: server.fetch,
    receiver: async () => ({
      redirectUri: "https://app.example/",
      receive: async (_, { state }) =>
        `https://app.example/?code=x&iss=https%3A%2F%2Felsewhere.example&state=${state}`,
    }),
  });
  const described: SecurityScheme = {
    oauth2SecurityScheme: { flows: { authorizationCode: flow } },
  };
  expect(await source({ ...request, scheme: described })).toBe("a");
});

it("leaves a sign-in that a page has begun for another agent to that agent", async () => {
  const items = new Map<string, string>();
  const storage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  };
  const assign = vi.fn<(url: string | URL) => void>();
  const history = { replaceState: vi.fn<History["replaceState"]>() };
  const redirectUri = "https://app.example/";
  const open = (href: string) =>
    pageRedirect({ redirectUri, storage, history, location: { href, assign } })(
      new AbortController().signal,
    );
  const pending = { key: "one", state: "s", codeVerifier: "v", redirectUri };
  const leaving = await open(redirectUri);
  void leaving.receive(new URL("https://id.example/"), pending);
  const back = await open(`${redirectUri}?code=x&state=s&keep=1`);
  expect(back.resume?.("other")).toBeUndefined();
  expect(history.replaceState).not.toHaveBeenCalled();
  expect(back.resume?.("one")).toMatchObject({ pending });
  expect(history.replaceState).toHaveBeenCalledWith(null, "", `${redirectUri}?keep=1`);
  expect(back.resume?.("one")).toBeUndefined();
});
