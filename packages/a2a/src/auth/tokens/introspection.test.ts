import { describe, expect, it, vi } from "vitest";
import { introspection } from "./introspection.js";
import type { IntrospectionOptions } from "./introspection.js";
import type { Fetch } from "./issuer-fetch.js";
import { invalid, known } from "../scheme.js";

const issuer = "https://id.example";
const endpoint = "https://id.example/introspect";

function open(
  answers: (token: string) => object | Response,
  more: Partial<IntrospectionOptions> = {},
) {
  const clock = { now: 1_000_000_000 };
  const fetch = vi.fn<Fetch>(async (_, init) => {
    const token = (init.body as URLSearchParams).get("token") ?? "";
    const answer = answers(token);
    return answer instanceof Response ? answer : Response.json(answer);
  });
  const verify = introspection({
    issuer,
    endpoint,
    clientId: "agent",
    clientSecret: "its secret",
    fetch,
    now: () => clock.now,
    ...more,
  });
  return { verify, fetch, clock };
}

describe("an opaque token", () => {
  it("is whose the issuer says, with what it grants", async () => {
    const { verify, fetch } = open(
      () => ({ active: true, sub: "ada", scope: "read write", email: "a@b.example", x: 1 }),
      { claims: ["email"] },
    );
    expect(await verify("t")).toEqual(
      known({
        issuer,
        subject: "ada",
        scopes: ["read", "write"],
        claims: { email: "a@b.example" },
      }),
    );
    const [url, init] = fetch.mock.calls[0]!;
    expect(url).toBe(endpoint);
    const headers = new Headers(init.headers);
    expect(headers.get("authorization")).toBe(`Basic ${btoa("agent:its+secret")}`);
  });

  it("may be a program's, which has no subject", async () => {
    const { verify } = open(() => ({ active: true, client_id: "machine" }));
    expect(await verify("t")).toMatchObject({ identity: { subject: "machine" } });
  });

  it.each([
    ["not active", { active: false }, "not active"],
    ["over", { active: true, sub: "a", exp: 1_000_000 }, "expired"],
    ["not yet begun", { active: true, sub: "a", nbf: 1_000_031 }, "not yet valid"],
    ["another issuer's", { active: true, sub: "a", iss: "https://evil.example" }, "another issuer"],
    ["for another", { active: true, sub: "a", aud: ["x"] }, "another audience"],
    ["for nobody in particular", { active: true, sub: "a" }, "another audience"],
    [
      "bound to a key",
      { active: true, sub: "a", aud: "agent", cnf: { jkt: "x" } },
      "bound to a key",
    ],
    ["nobody's", { active: true, aud: "agent" }, "no subject"],
  ])("is not valid when it is %s", async (...[, response, reason]) => {
    const { verify } = open(() => response, { audience: "agent" });
    expect(await verify("t")).toEqual(invalid(reason));
  });

  it.each([
    ["agent", "agent"],
    ["agent", ["other", "agent"]],
    [["agent", "helper"], "helper"],
    [
      ["agent", "helper"],
      ["other", "helper"],
    ],
  ])("is for us when %j is asked for and %j given", async (audience, aud) => {
    const { verify } = open(() => ({ active: true, sub: "a", aud }), { audience });
    expect(await verify("t")).toMatchObject({ kind: "known" });
  });

  it("has begun when the issuer's clock is a little ahead", async () => {
    const { verify } = open(() => ({ active: true, sub: "a", nbf: 1_000_029 }));
    expect(await verify("t")).toMatchObject({ kind: "known" });
  });

  it("that is too long is not asked about", async () => {
    const { verify, fetch } = open(() => ({ active: true, sub: "a" }));
    expect(await verify("x".repeat(10_000))).toEqual(invalid("too long"));
    expect(fetch).not.toHaveBeenCalled();
  });
});

describe("what the issuer said", () => {
  it("is believed for a while, never longer than the token lives", async () => {
    const { verify, fetch, clock } = open(() => ({ active: true, sub: "a", exp: 1_000_020 }), {
      cacheMs: 30_000,
    });
    await verify("t");
    clock.now += 19_999;
    await verify("t");
    expect(fetch).toHaveBeenCalledTimes(1);
    clock.now += 1;
    expect(await verify("t")).toEqual(invalid("expired"));
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("is asked again after that, so that a token that was revoked ends", async () => {
    let active = true;
    const { verify, clock } = open(() => ({ active, sub: "a" }), { cacheMs: 1000 });
    await verify("t");
    active = false;
    expect(await verify("t")).toMatchObject({ kind: "known" });
    clock.now += 1000;
    expect(await verify("t")).toEqual(invalid("not active"));
  });

  it("is believed for a shorter while when it was no", async () => {
    const { verify, fetch, clock } = open(() => ({ active: false }), { negativeCacheMs: 1000 });
    await verify("t");
    await verify("t");
    expect(fetch).toHaveBeenCalledTimes(1);
    clock.now += 1000;
    await verify("t");
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it("is kept of a bounded number of tokens", async () => {
    const { verify, fetch } = open(() => ({ active: true, sub: "a" }), { cacheSize: 2 });
    for (const token of ["a", "b", "c", "c", "b"]) await verify(token);
    expect(fetch).toHaveBeenCalledTimes(3);
    await verify("a");
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  it("is waited for by all who ask at the same time", async () => {
    const { verify, fetch } = open(() => ({ active: true, sub: "a" }));
    const verdicts = await Promise.all([verify("t"), verify("t"), verify("t")]);
    expect(verdicts).toEqual(Array.from({ length: 3 }, () => verdicts[0]));
    expect(fetch).toHaveBeenCalledTimes(1);
  });
});

it("asks about a bounded number of tokens at a time", async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const { verify } = open(() => ({ active: true, sub: "a" }), {
    fetch: async () => {
      await answered;
      return Response.json({ active: true, sub: "a" });
    },
  });
  const asked = Array.from({ length: 150 }, (_, index) => verify(`token ${index}`));
  const settled = Promise.allSettled(asked);
  let count = 0;
  for (const one of asked) {
    one.catch(() => {
      count += 1;
      if (count === 50) answer();
    });
  }
  const refused = (await settled).filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(50);
  expect(refused[0]).toMatchObject({ reason: { code: "RESOURCE_EXHAUSTED" } });
  expect(await verify("token 149")).toMatchObject({ kind: "known" });
});

describe("an issuer", () => {
  it.each([
    ["that fails", () => new Response("", { status: 500 })],
    ["that refuses us", () => Response.json({ error: "invalid_client" }, { status: 401 })],
    ["that makes no sense", () => Response.json({ hello: "world" })],
  ])("%s makes nobody a liar", async (_, answer) => {
    const { verify } = open(answer);
    await expect(verify("t")).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("is asked where its discovery document says, as it likes to be asked", async () => {
    const fetch = vi.fn<Fetch>(async (url) =>
      url.endsWith("/.well-known/openid-configuration")
        ? Response.json({ issuer, introspection_endpoint: endpoint })
        : Response.json({ active: true, sub: "a" }),
    );
    const verify = introspection({
      issuer,
      clientId: "agent",
      clientSecret: "its secret",
      clientAuthentication: "post",
      fetch,
    });
    expect(await verify("t")).toMatchObject({ kind: "known" });
    const [url, init] = fetch.mock.calls[1]!;
    expect(url).toBe(endpoint);
    expect((init.body as URLSearchParams).get("client_secret")).toBe("its secret");
  });

  it("is not told a token over plain HTTP", () => {
    const options = { issuer, clientId: "a", clientSecret: "b" };
    expect(() => introspection({ ...options, endpoint: "http://id.example/x" })).toThrowError(
      "is not an https URL",
    );
  });
});
