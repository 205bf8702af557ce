import { describe, expect, it } from "vitest";
import { createFetchHandler, createHttpHandler } from "@parley/a2a/http";
import type { HttpOptions } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createStubService } from "./stub-service.js";

const definition = { name: "Echo", description: "Repeats", run: () => "x" };
const echo = agent(definition);
const mountable = {
  service: createStubService(() => expect.fail("not called")),
  card: () => echo.card([]),
};
const opened = "await openRuntime({ agent, store })";

describe.each([
  ["createFetchHandler()", createFetchHandler],
  ["createHttpHandler()", createHttpHandler],
  ["createNodeListener()", createNodeListener],
] as const)("%s refuses", (caller, create) => {
  const make = (...args: readonly unknown[]): unknown =>
    (create as (...given: readonly unknown[]) => unknown)(...args);

  it.each<[string, unknown, string]>([
    ["nothing", undefined, `got nothing; expected a runtime: ${opened}`],
    ["a handler", definition.run, `got the function run; expected a runtime: ${opened}`],
    [
      "a runtime that is not open yet",
      Promise.resolve(mountable),
      `got a promise that was not awaited; expected a runtime: ${opened}`,
    ],
    ["an agent", echo, `"Echo" is an agent without a runtime; expected a runtime: ${opened}`],
    [
      "a definition",
      definition,
      '"Echo" is the definition of an agent; expected a runtime: await openRuntime({ agent: agent({ … }), store })',
    ],
    [
      "options without agents",
      { publicUrl: "https://a.example" },
      "mounts is missing; expected a list of mounts, such as [{ path, agent }]",
    ],
    [
      "one mount in place of a list",
      { mounts: { agent: mountable } },
      "mounts is an object with agent; expected a list of mounts, such as [{ path, agent }]",
    ],
    [
      "a mount without an agent",
      { mounts: [{ path: "/a" }] },
      `mounts[0].agent: got nothing; expected a runtime: ${opened}`,
    ],
    [
      "an agent in a mount",
      { mounts: [{ agent: echo }] },
      `mounts[0].agent: "Echo" is an agent without a runtime; expected a runtime: ${opened}`,
    ],
    [
      "a misspelt member of a mount",
      { mounts: [{ agent: mountable, pth: "/a" }] },
      "mounts[0].pth is unknown; did you mean path?",
    ],
  ])("%s in the place of an agent", (_, given, problem) => {
    expect(() => make(given)).toThrow(new Error(`${caller}: ${problem}`));
  });

  it.each<[string, unknown, string]>([
    ["a number of options", 4100, "options is 4100; expected an object"],
    ["a misspelt option", { publicURl: "x" }, "publicURl is unknown; did you mean publicUrl?"],
    [
      "an option of cors beside it",
      { origins: "*" },
      "origins is unknown; did you mean cors.origins?",
    ],
    [
      "a public URL without its scheme",
      { publicUrl: "example.com/agent" },
      'publicUrl is "example.com/agent"; expected a URL with its scheme: https://example.com/agent',
    ],
    [
      "a public URL of this machine without its scheme",
      { publicUrl: "localhost:4100" },
      'publicUrl is "localhost:4100"; expected a URL with its scheme: http://localhost:4100',
    ],
    [
      "a public URL with a query",
      { publicUrl: "https://example.com/?a=b" },
      'publicUrl is "https://example.com/?a=b"; expected a URL without query and fragment, to which paths can be appended',
    ],
    [
      "a public URL of no web server",
      { publicUrl: "ftp://example.com" },
      'publicUrl is "ftp://example.com"; expected a URL such as https://example.com/agents',
    ],
    [
      "a path as public URL",
      { publicUrl: "/agent" },
      'publicUrl is "/agent"; expected a URL such as https://example.com/agents',
    ],
    [
      "a heartbeat of nothing",
      { heartbeatMs: 0 },
      "heartbeatMs is 0; expected a whole number of milliseconds from 1 to 2147483647 (24 days)",
    ],
    [
      "a heartbeat in words",
      { heartbeatMs: "15s" },
      'heartbeatMs is "15s"; expected a whole number of milliseconds from 1 to 2147483647 (24 days)',
    ],
    [
      "a negative age",
      { cardMaxAgeSeconds: -1 },
      "cardMaxAgeSeconds is -1; expected a whole number from 0",
    ],
    [
      "cors as a switch",
      { cors: true },
      'cors is true; expected an object such as { origins: ["https://page.example"] }',
    ],
    [
      "cors without origins",
      { cors: { credentials: true } },
      'cors.origins is missing; expected "*" or a list of origins, such as ["https://page.example"]',
    ],
    [
      "one origin in place of a list",
      { cors: { origins: "https://page.example" } },
      'cors.origins is "https://page.example"; expected "*" or a list of origins, such as ["https://page.example"]',
    ],
    [
      "an origin with a path",
      { cors: { origins: ["https://page.example/app"] } },
      'cors.origins[0] is "https://page.example/app"; expected an origin without a path: "https://page.example"',
    ],
    [
      "an origin without its scheme",
      { cors: { origins: ["https://a.example", "page.example"] } },
      'cors.origins[1] is "page.example"; expected an origin with its scheme: "https://page.example"',
    ],
    [
      "an origin with a wildcard",
      { cors: { origins: ["https://*.example"] } },
      'cors.origins[0] is "https://*.example"; expected an origin without a wildcard; name each, or allow all with "*"',
    ],
    [
      "a limit that is none",
      { limits: { maxBodyBytes: Number.NaN, maxParts: 1, maxJsonDepth: 1, maxIdLength: 1 } },
      "limits.maxBodyBytes is NaN; expected a whole number from 1",
    ],
    [
      "some of the limits",
      { limits: { maxBodyBytes: 1024 } },
      "limits.maxParts is missing; expected a whole number from 1",
    ],
    [
      "a scheme in place of an authenticator",
      { auth: [{ type: "http" }] },
      "auth is a list; expected an authenticator: createAuthenticator({ schemes })",
    ],
    [
      "a list of proxies",
      { trustsProxy: ["10.0.0.0/8"] },
      'trustsProxy is a list; expected a function, such as trustProxies(["10.0.0.0/8"])',
    ],
  ])("%s as options", (_, options, problem) => {
    expect(() => make(mountable, options)).toThrow(new Error(`${caller}: ${problem}`));
  });
});

describe("an origin that pages may call from", () => {
  async function allowed(origins: HttpOptions["cors"] & object, origin: string) {
    const handle = createFetchHandler(mountable, { cors: origins });
    const request = new Request("http://localhost/", { method: "OPTIONS", headers: { origin } });
    return (await handle(request)).headers.get("access-control-allow-origin");
  }

  it.each([
    [["*"], "https://anyone.example", "*"],
    [["https://a.example", "*"], "https://anyone.example", "*"],
    [["https://page.example/"], "https://page.example", "https://page.example"],
    [["HTTPS://Page.Example:443"], "https://page.example", "https://page.example"],
    [["http://localhost:5173/"], "http://localhost:5173", "http://localhost:5173"],
    [["chrome-extension://abc/"], "chrome-extension://abc", "chrome-extension://abc"],
    [["null"], "null", "null"],
    [["https://page.example/"], "https://page.example.evil.example", null],
  ])("is meant by %j: %s", async (origins, origin, answer) => {
    expect(await allowed({ origins }, origin)).toBe(answer);
  });
});

it("options that are undefined are absent", async () => {
  await using runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
  const options = { publicUrl: undefined, cors: undefined, limits: undefined };
  const handle = createFetchHandler(runtime, options as unknown as Omit<HttpOptions, "mounts">);
  const answer = await handle(new Request("http://localhost/.well-known/agent-card.json"));
  expect(answer.status).toBe(200);
});
