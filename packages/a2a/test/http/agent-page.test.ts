import { describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, createKey, httpBearer, keyTable } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import { createFetchHandler } from "@parley/a2a/http";
import { agent, openRuntime } from "@parley/a2a/server";
import type { AgentDefinition } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import type { Answer, SendOptions } from "../support/clients/http-client.js";
import { openMounted, waysToMount } from "../support/servers/open-mounted.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";
const asBrowser: SendOptions = { headers: { Accept: browser } };

const named = (name: string) =>
  agent({ name, description: `Is ${name}`, run: ({ text }) => `${name} heard: ${text}` });

/** A page's words as a person sees them, and copies them. */
function seen({ text }: Pick<Answer, "text">): string {
  return text
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

const linksIn = ({ text }: Pick<Answer, "text">): readonly string[] =>
  Array.from(text.matchAll(/href="([^"]*)"/g), ([, url = ""]) => url);

/** The arguments of the line with curl, as a shell reads them. */
function curlIn(answer: Answer): readonly string[] {
  const line = /^curl .*$/m.exec(seen(answer))?.[0] ?? expect.fail("there is no curl");
  return Array.from(line.matchAll(/'((?:[^']|'\\'')*)'/g), ([, word = ""]) =>
    word.replaceAll(`'\\''`, "'"),
  );
}

/** What the agent answers to somebody who copies the line with curl, and fills in a secret. */
async function runCurl(answer: Answer, secret = ""): Promise<string> {
  const [url = "", ...rest] = curlIn(answer).map((one) => one.replaceAll("…", secret));
  const headers = Object.fromEntries(rest.slice(0, -1).map((one) => one.split(": ")));
  const response = await fetch(url, { method: "POST", headers, body: rest.at(-1) ?? "" });
  return response.text();
}

/** What the agent answers to somebody who copies the lines with `connect`, and fills in a secret. */
async function runConnect(answer: Answer, secret = ""): Promise<string> {
  const [, url = "", name, text = ""] =
    /connect\((".*?")(?:, \{ credentials: \{ (\w+): "…" \} \})?\);\n.*text\((".*")\)/.exec(
      seen(answer),
    ) ?? expect.fail("no connect");
  const options = name === undefined ? {} : { credentials: { [name]: secret } };
  return (await connect(JSON.parse(url) as string, options)).text(JSON.parse(text) as string);
}

describe("a browser at the URL of an agent", () => {
  it("gets a page that says what the agent is, where its documents are, and how to call it", async () => {
    const travel = agent({
      name: "Travel",
      description: "Finds flights",
      version: "1.2.3",
      documentationUrl: "https://travel.example/docs",
      provider: { organization: "Example Ltd", url: "https://travel.example" },
      skills: [{ name: "Book", description: "Books seats", examples: ["I'd like to fly"] }],
      run: ({ text }) => `You said: ${text}`,
    });
    await using server = await openServer({ agent: travel });
    const { url } = server;
    const answer = await send(url, "GET /", asBrowser);
    expect(answer).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
    });
    const words = ["Travel", "Finds flights", "1.2.3", "Example Ltd", "Book", "Books seats"];
    for (const word of words) expect(seen(answer)).toContain(word);
    expect(linksIn(answer)).toEqual([
      "https://travel.example",
      `${url}/.well-known/agent-card.json`,
      `${url}/healthz`,
      `${url}/readyz`,
      "https://travel.example/docs",
    ]);
    for (const link of linksIn(answer).filter((one) => one.startsWith(url))) {
      expect((await fetch(link)).status).toBe(200);
    }
    expect(await runCurl(answer)).toContain("You said: I'd like to fly");
    expect(await runConnect(answer)).toBe("You said: I'd like to fly");
  });

  it("gets one that may load and run nothing, and has nothing to run", async () => {
    await using server = await openServer();
    const { headers, text } = await send(server.url, "GET /", asBrowser);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "content-security-policy": expect.stringMatching(
        /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src 'sha256-[\w+/]{43}='$/,
      ),
    });
    expect(text).not.toMatch(/<script|<img|<link|<iframe|style=|\son\w+=|url\(|@import/i);
  });

  it("gets every text as text, whatever an author writes", async () => {
    verifies("security:sanitized");
    const evil = `</style></title><script>alert("1")</script>'&amp;`;
    const written = agent({
      name: `name ${evil}`,
      description: `description ${evil}`,
      version: `version ${evil}`,
      provider: { organization: `provider ${evil}`, url: "javascript:alert(1)" },
      documentationUrl: `https://docs.example/" onclick="alert(1)`,
      skills: [{ name: `skill ${evil}`, tags: [`tag ${evil}`], examples: [`example ${evil}`] }],
      run: () => "hi",
    });
    await using server = await openServer({ agent: written });
    const answer = await send(server.url, "GET /", asBrowser);
    expect(answer.text).not.toMatch(/<script|javascript:|" onclick/);
    for (const field of ["name", "description", "version", "provider", "skill", "tag", "example"]) {
      expect(seen(answer)).toContain(`${field} ${evil}`);
    }
    expect(JSON.parse(curlIn(answer).at(-1) ?? "")).toMatchObject({
      params: { message: { parts: [{ text: `example ${evil}` }] } },
    });
  });

  it("is told that callers authenticate, and how", async () => {
    const scheme = apiKey({ in: "header", name: "X-Key", keys: [] });
    const auth = createAuthenticator({ schemes: { key: scheme } });
    await using server = await openServer({ auth });
    const answer = await send(server.url, "GET /", asBrowser);
    expect(answer.status).toBe(200);
    expect(seen(answer)).toContain("Callers authenticate with key");
  });

  it.each(["header", "query", "cookie", "bearer"] as const)(
    "gets samples that work once a secret is filled in: %s",
    async (way) => {
      const { key, hash } = await createKey();
      const keys = [{ subject: "ada", hash }];
      const scheme =
        way === "bearer"
          ? httpBearer({ verify: keyTable(keys) })
          : apiKey({ in: way, name: "X-Key", keys });
      const auth = createAuthenticator({ schemes: { key: scheme } });
      await using server = await openServer({ agent: named("Ada"), auth });
      const page = await send(server.url, "GET /", asBrowser);
      expect(await runCurl(page, key)).toContain("Ada heard: Hello");
      expect(await runConnect(page, key)).toBe("Ada heard: Hello");
      expect(await runCurl(page, "wrong")).not.toContain("Ada heard");
    },
  );

  it.each<[string, Partial<AgentDefinition>, string, string]>([
    [
      "a password",
      {
        securitySchemes: { staff: { httpAuthSecurityScheme: { scheme: "basic" } } },
        securityRequirements: [{ schemes: { staff: {} } }],
      },
      "-H 'A2A-Version: 1.0' -u '…:…' -d",
      `, { credentials: { staff: { username: "…", password: "…" } } });`,
    ],
    [
      "two schemes together, and no alternative",
      {
        securitySchemes: {
          "my-oidc": { openIdConnectSecurityScheme: { openIdConnectUrl: "https://id.example" } },
          tls: { mtlsSecurityScheme: {} },
          other: { httpAuthSecurityScheme: { scheme: "basic" } },
        },
        securityRequirements: [{ schemes: { "my-oidc": {}, tls: {} } }, { schemes: { other: {} } }],
      },
      "-H 'Authorization: Bearer …' --cert client.pem --key client-key.pem -d",
      `, { credentials: { "my-oidc": "…" } });`,
    ],
    [
      "nothing, if callers may be anonymous",
      {
        securitySchemes: { staff: { httpAuthSecurityScheme: { scheme: "basic" } } },
        securityRequirements: [{ schemes: { staff: {} } }, { schemes: {} }],
      },
      "-H 'A2A-Version: 1.0' -d",
      `");\n`,
    ],
    [
      "names of any characters, as text",
      {
        securitySchemes: {
          "<b>": { apiKeySecurityScheme: { location: "header", name: "X-'</code><script>" } },
        },
        securityRequirements: [{ schemes: { "<b>": {} } }],
      },
      `-H 'X-'\\''</code><script>: …' -d`,
      `, { credentials: { "<b>": "…" } });`,
    ],
  ])("gets samples with %s", async (_, security, curl, connected) => {
    const { name, description } = { name: "Ada", description: "Is Ada" };
    const secured = agent({ name, description, run: () => "hi", ...security });
    await using server = await openServer({ agent: secured });
    const page = await send(server.url, "GET /", asBrowser);
    expect(page.text).not.toMatch(/<script|<b>/);
    const shown = page.text
      .replace(/<(?:pre|code|\/code|\/pre)>/g, "")
      .replace(/&#(\d+);/g, (__, code: string) => String.fromCharCode(Number(code)));
    expect(shown).toContain(curl);
    expect(shown).toContain(connected);
  });

  it("gets no page by a name that was made to lead to this machine", async () => {
    for (const agents of [named("Ada"), { "/a": named("Ada"), "/b": named("Bob") }]) {
      await using server = await openServer({ agent: agents });
      const headers = { Accept: browser, Host: "evil.example" };
      const answer = await send(server.url, "GET /", { headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toMatch(/Ada|evil/);
    }
  });
});

describe("whoever is not a browser", () => {
  it.each([{}, { Accept: "*/*" }, { Accept: "application/json" }])(
    "gets words at the URL of an agent, with %j",
    async (headers) => {
      await using server = await openServer();
      const answer = await send(server.url, "GET /", { headers });
      expect(answer).toMatchObject({
        status: 200,
        headers: { "content-type": "text/plain; charset=utf-8" },
        text: expect.stringMatching(/^This is an A2A agent/),
      });
    },
  );

  it.each(["POST", "PUT", "DELETE", "HEAD"])("is answered as ever by %s", async (method) => {
    await using server = await openServer();
    const request = method === "POST" ? rpc("SendMessage", say("echo x")) : {};
    const headers = { ...request.headers, Accept: browser };
    const answer = await send(server.url, `${method} /`, { ...request, headers });
    if (method === "POST") expect(jsonOf(answer).result.message.parts[0].text).toBe("x");
    else
      expect([answer.status, answer.text === ""]).toEqual(
        method === "HEAD" ? [200, true] : [405, false],
      );
  });
});

describe("several agents", () => {
  const agents = { "/ada": named("Ada"), "/bob": named("Bob") };

  it("are listed at the root, and each has a page", async () => {
    await using server = await openServer({ agent: agents });
    const { url } = server;
    const list = await send(url, "GET /", asBrowser);
    expect(list.status).toBe(200);
    expect(seen(list)).toContain("2 agents");
    expect(seen(list)).toMatch(/Ada.*Is Ada.*Bob.*Is Bob/s);
    expect(linksIn(list)).toEqual([
      `${url}/ada`,
      `${url}/ada/.well-known/agent-card.json`,
      `${url}/bob`,
      `${url}/bob/.well-known/agent-card.json`,
    ]);
    for (const path of ["/ada", "/ada/"]) {
      const page = await send(url, `GET ${path}`, asBrowser);
      expect(seen(page)).not.toContain("Bob");
      expect(await runCurl(page)).toContain("Ada heard: Hello");
      expect(await runConnect(page)).toBe("Ada heard: Hello");
    }
    expect((await send(url, "GET /", {})).status).toBe(404);
    expect((await send(url, "GET /nobody", asBrowser)).status).toBe(404);
  });

  it("are listed below the page of the one at the root", async () => {
    await using server = await openServer({ agent: { ...agents, "/": named("Root") } });
    const page = await send(server.url, "GET /", asBrowser);
    expect(seen(page)).toMatch(/Root.*Call it.*Also here.*Ada.*Bob/s);
    expect(await runCurl(page)).toContain("Root heard: Hello");
  });

  it("are shown at the root if there is only one, wherever it is", async () => {
    await using server = await openServer({ agent: { "/ada": named("Ada") } });
    const page = await send(server.url, "GET /", asBrowser);
    expect(await runCurl(page)).toContain("Ada heard: Hello");
  });

  it("are not listed if they are for one tenant, and are called by their own URL", async () => {
    const store = createMemoryStore();
    await using one = await openRuntime({ agent: named("One"), store });
    await using acme = await openRuntime({ agent: named("Acme's"), store });
    const mounts = [
      { path: "/one", agent: one },
      { path: "/hotels", agent: one },
      { path: "/hotels", tenant: "acme", agent: acme },
    ];
    const handle = createFetchHandler({ mounts });
    const pageAt = async (path: string): Promise<Answer> => {
      const request = new Request(`https://agents.example${path}`, {
        headers: { Accept: browser },
      });
      const { status, text } = await handle(request).then(async (response) => ({
        status: response.status,
        text: await response.text(),
      }));
      return { status, headers: {}, text };
    };
    expect((await pageAt("/")).text).not.toMatch(/acme/i);
    expect((await pageAt("/hotels")).text).not.toMatch(/acme/i);
    expect(curlIn(await pageAt("/hotels/acme"))[0]).toBe("https://agents.example/hotels/acme");
  });
});

describe.each(waysToMount)("an agent that is mounted in %s", (way) => {
  it("has its page at its path, and leaves the root to the server", async () => {
    await using mounted = await openMounted(way);
    const { origin, path, url } = mounted;
    expect((await send(origin, "GET /", asBrowser)).text).toBe("home");
    const page = await send(origin, `GET ${path}`, asBrowser);
    expect(page).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
    });
    expect(linksIn(page)[0]).toBe(`${url}/.well-known/agent-card.json`);
    for (const link of linksIn(page)) expect((await fetch(link)).status).toBe(200);
    expect(await runCurl(page)).toContain("hello");
    expect(await runConnect(page)).toBe("hello");
  });
});

it("a page gives the public URL, with its path", async () => {
  await using server = await openServer({ publicUrl: "https://example.com/agents/travel/" });
  const page = await send(server.url, "GET /", asBrowser);
  expect(curlIn(page)[0]).toBe("https://example.com/agents/travel");
  expect(linksIn(page)[0]).toBe("https://example.com/agents/travel/.well-known/agent-card.json");
});
