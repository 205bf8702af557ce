import { A2AError, callOnce } from "@parley/a2a";
import type { AgentCard, ProtocolVersion } from "@parley/a2a";
import { apiKey, createAuthenticator, hashKey, requireScopes } from "@parley/a2a/auth";
import type { AuditEvent } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { ServeOptions, Server } from "@parley/a2a/node";
import { agent, withParams } from "@parley/a2a/server";
import type { StandardSchema } from "@parley/a2a/server";
import { describe, expect, it } from "vitest";
import { extensionService } from "../../src/wire/detect/detect-grpc.js";
import { verifies } from "../spec/verifies.js";
import { refusal } from "../support/runtime/answers.js";
import { openServer } from "../support/servers/open-server.js";
import { openTestRuntime } from "../support/runtime/open-test-runtime.js";

const quotes = "https://acme.example/extensions/quotes/v1";

/** The least that a validation library provides. */
const symbol: StandardSchema<{ readonly symbol: string }> = {
  "~standard": {
    version: 1,
    validate(value) {
      const given = (value as { readonly symbol?: unknown }).symbol;
      return typeof given === "string"
        ? { value: { symbol: given } }
        : { issues: [{ message: "expected a string", path: ["symbol"] }] };
    },
  },
};

const broker = agent({
  name: "Broker",
  description: "Sells",
  run: () => "sold",
  extensions: [
    {
      uri: quotes,
      description: "Quotes of shares",
      methods: {
        "acme/quote": withParams(symbol, ({ symbol: asked }, { caller, tenant, version }) => ({
          symbol: asked,
          price: 12.5,
          version,
          caller: caller?.subject ?? null,
          tenant: tenant ?? null,
        })),
        ListQuotes: () => [1, null, { a: [] }],
        "acme/fail": () => {
          throw new Error("the secret of the broker");
        },
      },
    },
  ],
});

const interfaces: readonly (readonly [string, ProtocolVersion])[] = [
  ["JSONRPC", "0.1"],
  ["JSONRPC", "0.2"],
  ["JSONRPC", "0.3"],
  ["JSONRPC", "1.0"],
  ["HTTP+JSON", "0.3"],
  ["HTTP+JSON", "1.0"],
  ["GRPC", "0.3"],
  ["GRPC", "1.0"],
];

async function storedKey(subject: string, scopes: readonly string[]) {
  return { subject, scopes, hash: await hashKey(`${subject}-key`) };
}

function open(options: Partial<ServeOptions> = {}): Promise<Server> {
  return openServer({ agent: broker, grpc: { port: 0 }, report: () => {}, ...options });
}

/** Connects over one interface, whatever the card lists first. */
async function over(
  { url, grpcAddress }: Server,
  [protocolBinding, protocolVersion]: readonly [string, ProtocolVersion],
  options: Parameters<typeof connect>[1] = {},
): Promise<RemoteAgent> {
  const { card } = await connect(url);
  const address = protocolBinding === "GRPC" ? `grpc://${grpcAddress}` : url;
  const here: AgentCard = {
    ...card,
    supportedInterfaces: [{ url: address, protocolBinding, protocolVersion }],
  };
  const credentialsOrigin = address.replace("grpc:", "http:");
  const settings = { extensions: [quotes], credentialsOrigin, ...options };
  return connect(here, { transports: grpcTransports(), ...settings });
}

describe.each(interfaces)("a method of an extension over %s %s", (...way) => {
  const [binding, version] = way;

  it("is called by its name, and answers with JSON", async () => {
    verifies("extension:requested", "extension:declared");
    await using server = await open();
    let active: readonly string[] = [];
    const remote = await over(server, way);
    const answered = await remote.call<{ price: number }>(
      "acme/quote",
      { symbol: "ACME" },
      { onExtensions: (uris) => (active = uris) },
    );
    expect(answered).toEqual({
      symbol: "ACME",
      price: 12.5,
      version: version === "0.2" ? "0.3" : version,
      caller: null,
      tenant: null,
    });
    expect(answered.price).toBe(12.5);
    expect(active).toEqual([quotes]);
    expect(await remote.call("ListQuotes")).toEqual([1, null, { a: [] }]);
    // Nothing was taken for a task, and messages are answered as ever.
    expect(await remote.text("buy")).toBe("sold");
  });

  it("is refused with the field that is wrong", async () => {
    await using server = await open();
    const remote = await over(server, way);
    const error = await refusal(remote.call("acme/quote", { symbol: 7 }));
    expect(error.code).toBe("INVALID_PARAMS");
    expect(error.message).toContain("symbol: expected a string");
    if (version !== "0.1") {
      const [violation] = error.details.fieldViolations ?? [];
      expect(violation).toEqual({ field: "symbol", description: "expected a string" });
    }
  });

  it("is not found when no extension defines it, or when the agent has none", async () => {
    await using server = await open();
    await using plain = await openServer({ grpc: { port: 0 } });
    for (const [one, method] of [
      [server, "acme/other"],
      [server, "acme/quote/more"],
      [plain, "acme/quote"],
    ] as const) {
      const remote = await over(one, way);
      expect(await refusal(remote.call(method, { symbol: "ACME" }))).toMatchObject({
        code: "METHOD_NOT_FOUND",
      });
    }
  });

  it("is refused when the call does not name the extension", async () => {
    await using server = await open();
    const remote = await over(server, way, { extensions: [] });
    const error = await refusal(remote.call("acme/quote", { symbol: "ACME" }));
    expect(error.code).toBe("EXTENSION_SUPPORT_REQUIRED");
    expect(error.message).toContain(quotes);
  });

  it("keeps what it throws to the operator", async () => {
    const reported: unknown[] = [];
    await using server = await open({
      report: (error) => reported.push(error),
      reportFailure: () => {},
    });
    const remote = await over(server, way);
    const error = await refusal(remote.call("acme/fail"));
    expect(error.code).toBe("INTERNAL");
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(error.message).not.toContain("secret");
    expect(String(reported[0])).toContain("the secret of the broker");
  });

  it("goes through authentication, rules, limits and the audit log", async () => {
    const events: AuditEvent[] = [];
    const keys = await Promise.all([
      storedKey("ada", ["a2a:send", "a2a:call", "acme:quote"]),
      storedKey("bob", ["a2a:send", "a2a:call"]),
      storedKey("eve", ["a2a:send"]),
    ]);
    await using server = await open({
      auth: createAuthenticator({
        schemes: {
          key: apiKey({ in: "header", name: "X-API-Key", keys }),
        },
      }),
      authorize: requireScopes({ methods: { "acme/quote": ["acme:quote"] } }),
      callLimits: { perPrincipal: { requests: { perSecond: 0.001, burst: 3 } } },
      audit: { record: (event: AuditEvent) => void events.push(event) },
    });
    const as = (key: string) =>
      over(server, way, { credentials: { key }, patience: { maxAttempts: 1 } });
    const quote = async (key: string) => (await as(key)).call("acme/quote", { symbol: "ACME" });

    expect(await quote("ada-key")).toMatchObject({
      caller: expect.stringContaining("ada") as string,
    });
    expect(await refusal(quote("nobody"))).toMatchObject({ code: "UNAUTHENTICATED" });
    expect(await refusal(quote("eve-key"))).toMatchObject({ code: "PERMISSION_DENIED" });
    const lacking = await refusal(quote("bob-key"));
    expect(lacking.code).toBe("PERMISSION_DENIED");
    expect(lacking.message).toContain("acme:quote");
    const resource = { method: "acme/quote" };
    const decided = events.filter(({ operation }) => operation === "callMethod");
    expect(decided).toMatchObject([
      { outcome: "allowed", subject: expect.stringContaining("ada") as string, resource },
      { outcome: "denied", subject: expect.stringContaining("eve") as string, resource },
      { outcome: "denied", subject: expect.stringContaining("bob") as string, resource },
    ]);
    await quote("ada-key");
    await quote("ada-key");
    expect(await refusal(quote("ada-key"))).toMatchObject({ code: "RESOURCE_EXHAUSTED" });
    expect(events.at(-1)).toMatchObject({ decision: "limit", outcome: "denied", resource });
  });

  it("takes no more bytes than a message may have", async () => {
    const limits = { maxBodyBytes: 1000, maxParts: 10, maxJsonDepth: 10, maxIdLength: 100 };
    await using server = await open({ limits });
    const remote = await over(server, way);
    const long = refusal(remote.call("acme/quote", { symbol: "x".repeat(2000) }));
    expect((await long).code).toBe(binding === "GRPC" ? "RESOURCE_EXHAUSTED" : "REQUEST_TOO_LARGE");
    const deep = JSON.parse(`{"symbol":${"[".repeat(50)}${"]".repeat(50)}}`) as { symbol: [] };
    expect((await refusal(remote.call("acme/quote", deep))).code).toMatch(
      /INVALID_PARAMS|PARSE_ERROR/,
    );
  });
});

describe("an extension with methods", () => {
  it("is in the card, without them", async () => {
    await using server = await open();
    const { card } = await connect(server.url);
    const declared = card.capabilities.extensions?.find(({ uri }) => uri === quotes);
    expect(declared).toEqual({ uri: quotes, description: "Quotes of shares" });
  });

  it("that is required is required of every call", async () => {
    verifies("extension:client-complies");
    verifies("extension:required-missing");
    const [extension] = [{ uri: quotes, required: true, methods: { "acme/ping": () => "pong" } }];
    const strict = agent({
      name: "Strict",
      description: "x",
      run: () => "x",
      extensions: [extension],
    });
    await using server = await openServer({ agent: strict });
    const remote = await connect(server.url);
    for (const refused of [remote.call("acme/ping"), remote.text("hello")]) {
      expect(await refusal(refused)).toMatchObject({ code: "EXTENSION_SUPPORT_REQUIRED" });
    }
    expect(await remote.call("acme/ping", {}, { extensions: [quotes] })).toBe("pong");
  });

  it("is served to the tenants of a path apart from each other", async () => {
    const other = agent({ name: "Other", description: "x", run: () => "x" });
    await using one = await openTestRuntime({ run: () => "x", extensions: [...extensionsOf()] });
    await using two = await openTestRuntime({ run: other.run });
    const { createFetchHandler } = await import("@parley/a2a/http");
    const handle = createFetchHandler({
      mounts: [
        { agent: one.service, tenant: "acme" },
        { agent: two.service, tenant: "globex" },
        // It could answer, but does not declare the method.
        { agent: { service: one.service, card: one.service.card }, tenant: "initech" },
      ],
    });
    const post = async (path: string, body: object, headers: object = {}): Promise<unknown> => {
      const response = await handle(
        new Request(`http://agents.example${path}`, {
          method: "POST",
          headers: {
            "Content-Type": "application/json",
            "A2A-Version": "1.0",
            "A2A-Extensions": quotes,
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      );
      return { status: response.status, body: await response.json() };
    };
    const rpc = (tenant: string) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "acme/tenant",
      params: { tenant, of: "me" },
    });
    expect(await post("/", rpc("acme"))).toMatchObject({
      body: { result: { tenant: "acme", params: { of: "me" } } },
    });
    for (const other of ["globex", "initech"]) {
      expect(await post("/", rpc(other))).toMatchObject({ body: { error: { code: -32601 } } });
    }
    expect(await post("/acme/method:call/acme/tenant", { of: "me" })).toMatchObject({
      status: 200,
      body: { tenant: "acme", params: { of: "me" } },
    });
    expect(await post("/method:call/acme/tenant", { of: "me", tenant: "acme" })).toMatchObject({
      status: 200,
      body: { tenant: "acme", params: { of: "me" } },
    });
    expect(await post("/globex/method:call/acme/tenant", {})).toMatchObject({ status: 404 });
    const earlier = { "A2A-Version": "0.3", "X-A2A-Extensions": quotes };
    expect(await post("/acme/v1/method:call/acme/tenant", {}, earlier)).toMatchObject({
      status: 200,
      body: { tenant: "acme" },
    });
  });

  function extensionsOf() {
    const tell = (params: object, { tenant }: { readonly tenant?: string }) => ({ tenant, params });
    return [{ uri: quotes, methods: { "acme/tenant": tell } }];
  }
});

describe("the gRPC service for methods", () => {
  it("is listed by reflection where an agent has any, and is not there otherwise", async () => {
    const { openGrpcServer } = await import("@parley/a2a/grpc");
    const { GrpcHandler } = await import("../../src/grpc/handler.js");
    await using none = await openTestRuntime({ run: () => "x" });
    await using some = await openTestRuntime({
      run: () => "x",
      extensions: [{ uri: quotes, methods: { "acme/ping": () => "pong" } }],
    });
    const servicesOf = (one: typeof none): readonly string[] =>
      new GrpcHandler({ mounts: [{ agent: one.service }], maxElements: 100 }).services;
    expect(servicesOf(none)).not.toContain(extensionService);
    expect(servicesOf(some)).toContain(extensionService);
    await using server = await openGrpcServer(some.service, { port: 0 });
    expect(server.port).toBeGreaterThan(0);
  });
});

describe("a gateway", () => {
  it("passes on the methods that it declares, and no others", async () => {
    await using server = await open();
    const behind = await connect(server.url, { extensions: [quotes] });
    const { createFetchHandler } = await import("@parley/a2a/http");
    const handle = createFetchHandler({
      mounts: [
        {
          agent: {
            service: behind.service,
            card: (supportedInterfaces) => ({ ...behind.card, supportedInterfaces }),
            methods: ["acme/quote"],
          },
        },
      ],
    });
    const remote = await connect(
      {
        ...behind.card,
        supportedInterfaces: [
          { url: "http://gateway.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        ],
      },
      { fetch: async (url, init) => handle(new Request(url, init)), extensions: [quotes] },
    );
    expect(await remote.call("acme/quote", { symbol: "ACME" })).toMatchObject({ price: 12.5 });
    expect(await refusal(remote.call("ListQuotes"))).toMatchObject({ code: "METHOD_NOT_FOUND" });
    const inside = { method: "ListQuotes", params: {} };
    const call = { version: "1.0" as const, extensions: [quotes] };
    expect(await callOnce(behind.service, "callMethod", inside, call)).toHaveLength(3);
    expect(A2AError.is(await refusal(remote.call("acme/fail")))).toBe(true);
  });
});
