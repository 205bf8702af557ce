import { describe, expect, it } from "vitest";
import { CardCache } from "./card-cache.js";
import { findCard } from "./find-card.js";
import { ManualTimers } from "../../../test/support/time/manual-timers.js";
import { verifies } from "../../../test/spec/verifies.js";

const card = {
  name: "Travel",
  description: "Books flights",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
  supportedInterfaces: [
    { url: "https://agent.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ],
};

type Answers = Readonly<Record<string, () => Response>>;

/** A web in which exactly the given URLs are there, and what was asked of it. */
function openWeb(answers: Answers, now: () => number = Date.now, cardTtlMs?: number) {
  const asked: { readonly url: string; readonly headers: Headers }[] = [];
  const timers = new ManualTimers().rush();
  const options = {
    cache: new CardCache(now),
    clock: timers,
    random: timers.random,
    stallMs: 1e9,
    cardTtlMs,
    maxAttempts: 3,
    fetch: async (url: string, init: RequestInit) => {
      asked.push({ url, headers: new Headers(init.headers) });
      return answers[url]?.() ?? new Response("no", { status: 404 });
    },
  };
  return { asked, timers, find: (reference: string | URL) => findCard(reference, options) };
}

const found = () => Response.json(card);

describe("where a card is looked for", () => {
  it.each<[string, string, readonly string[]]>([
    ["a URL", "https://a.example", ["https://a.example/.well-known/agent-card.json"]],
    ["a host", "a.example", ["https://a.example/.well-known/agent-card.json"]],
    ["a local host", "localhost:4100", ["http://localhost:4100/.well-known/agent-card.json"]],
    ["a local address", "127.0.0.1/a.json", ["http://127.0.0.1/a.json"]],
    [
      "a host that is local by its looks only",
      "127.0.0.1.a.example/a.json",
      ["https://127.0.0.1.a.example/a.json"],
    ],
    ["another such host", "localhost.a.example/a.json", ["https://localhost.a.example/a.json"]],
    [
      "a server that knows the old name only",
      "https://a.example/",
      ["https://a.example/.well-known/agent-card.json", "https://a.example/.well-known/agent.json"],
    ],
    [
      "a path, below it first",
      "https://a.example/travel/",
      [
        "https://a.example/travel/.well-known/agent-card.json",
        "https://a.example/travel/.well-known/agent.json",
        "https://a.example/.well-known/agent-card.json",
      ],
    ],
    ["the card's own URL", "https://a.example/cards/7.json", ["https://a.example/cards/7.json"]],
  ])("%s", async (_, reference, urls) => {
    const web = openWeb({ [urls.at(-1) ?? ""]: found });
    const { url } = await web.find(reference);
    expect(url).toBe(urls.at(-1));
    expect(web.asked.map((one) => one.url)).toEqual(urls);
    expect(web.asked[0]?.headers.get("A2A-Version")).toBe("1.0");
  });

  it("a URL object, as its text says", async () => {
    const web = openWeb({ "https://a.example/cards/7.json": found });
    const { url } = await web.find(new URL("https://a.example/cards/7.json"));
    expect(url).toBe("https://a.example/cards/7.json");
  });

  it("shows no more than the beginning of a long text that is no URL", async () => {
    await expect(openWeb({}).find("x y".repeat(10_000))).rejects.toThrowError(/^.{1,300}$/);
  });

  it("says where it looked when there is none", async () => {
    await expect(openWeb({}).find("https://a.example")).rejects.toThrowError(
      "there is no agent card at https://a.example/.well-known/agent-card.json or " +
        "https://a.example/.well-known/agent.json",
    );
  });

  it.each(["https://", "ftp://a.example", "ftp://a.example/card.json", "grpc://a.example:4101"])(
    "nowhere for %s, which is no URL that it could be at",
    async (reference) => {
      const web = openWeb({});
      await expect(web.find(reference)).rejects.toMatchObject({
        code: "INVALID_PARAMS",
        message: `connect() takes an HTTP URL, a host or an agent card, but got "${reference}"`,
      });
      expect(web.asked).toEqual([]);
    },
  );

  it("goes on when a web page is where a card should be", async () => {
    const page = () =>
      new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
    const { url } = await openWeb({
      "https://a.example/.well-known/agent-card.json": page,
      "https://a.example/.well-known/agent.json": found,
    }).find("https://a.example");
    expect(url).toBe("https://a.example/.well-known/agent.json");
  });
});

describe("a card that was found", () => {
  const url = "https://a.example/.well-known/agent-card.json";

  it("is good for as long as its server says", async () => {
    let now = 0;
    const headers = { "Cache-Control": "public, max-age=60" };
    const web = openWeb({ [url]: () => Response.json(card, { headers }) }, () => now);
    await web.find("a.example");
    now = 59_999;
    await web.find("a.example");
    expect(web.asked).toHaveLength(1);
    now = 60_000;
    await web.find("a.example");
    expect(web.asked).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, number, number]>([
    ["for as long as the caller says, where its server says nothing", {}, 5000, 5000],
    ["not at all without either", {}, 0, 0],
    ["by its server's word in place of the caller's", { "Cache-Control": "max-age=2" }, 5000, 2000],
    ["not at all when its server wants to be asked", { "Cache-Control": "no-cache" }, 5000, 0],
    ["not at all when its server speaks in dates", { Expires: "0" }, 5000, 0],
  ])("is fresh %s", async (_, headers, cardTtlMs, freshMs) => {
    verifies("card:client-caches");
    let now = 0;
    const web = openWeb({ [url]: () => Response.json(card, { headers }) }, () => now, cardTtlMs);
    await web.find("a.example");
    now = Math.max(0, freshMs - 1);
    await web.find("a.example");
    expect(web.asked).toHaveLength(freshMs === 0 ? 2 : 1);
    now = freshMs;
    web.asked.length = 0;
    await web.find("a.example");
    expect(web.asked).toHaveLength(1);
  });

  it("is as fresh as each caller says, though all share it", () => {
    let now = 0;
    const cache = new CardCache(() => now);
    cache.set(url, card, new Response());
    now = 1000;
    expect([cache.get(url, 1001)?.isFresh, cache.get(url, 1000)?.isFresh]).toEqual([true, false]);
    expect(cache.get(url)?.isFresh).toBe(false);
  });

  it("is asked for by its tag afterwards", async () => {
    verifies("card:client-revalidates");
    let isNew = true;
    const web = openWeb({
      [url]: () =>
        isNew
          ? Response.json(card, { headers: { ETag: '"1"' } })
          : new Response(null, { status: 304 }),
    });
    await web.find("a.example");
    isNew = false;
    expect((await web.find("a.example")).card.name).toBe("Travel");
    expect(web.asked[1]?.headers.get("If-None-Match")).toBe('"1"');
  });

  it("is not kept when its server forbids it", async () => {
    const headers = { "Cache-Control": "no-store, max-age=60" };
    const web = openWeb({ [url]: () => Response.json(card, { headers }) });
    await web.find("a.example");
    await web.find("a.example");
    expect(web.asked).toHaveLength(2);
  });

  it("is one of at most a hundred", () => {
    const cache = new CardCache(() => 0);
    for (let index = 0; index < 150; index += 1) cache.set(`u${index}`, {}, new Response());
    expect(cache.get("u49")).toBeUndefined();
    expect(cache.get("u50")).toBeDefined();
  });
});

describe("a server in trouble", () => {
  const url = "https://a.example/.well-known/agent-card.json";

  it("is asked again, when it wants to be", async () => {
    const answers = [
      () => new Response("<html>", { status: 502 }),
      () => new Response("", { status: 503, headers: { "Retry-After": "7" } }),
      found,
    ];
    const web = openWeb({ [url]: () => (answers.shift() ?? found)() });
    await web.find("a.example");
    expect(web.timers.delays.filter((ms) => ms < 1e9)).toEqual([200, 7000]);
  });

  it.each([
    [
      401,
      "UNAUTHENTICATED",
      `${url} answered HTTP 401; connect() takes a card that you fetch yourself`,
    ],
    [403, "PERMISSION_DENIED", `${url} answered HTTP 403`],
  ])("that answers %i is not asked again", async (status, code, message) => {
    const web = openWeb({ [url]: () => new Response("", { status }) });
    await expect(web.find("a.example")).rejects.toMatchObject({ code, message });
    expect(web.asked).toHaveLength(1);
  });
});
