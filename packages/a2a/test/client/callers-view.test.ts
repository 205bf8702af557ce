import { afterAll, beforeAll, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import type { AgentCard, AgentService, JsonObject } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import { addSignature, codecs, signAgentCard, verifyAgentCard } from "@parley/a2a/wire";
import type { VerifyAgentCardOptions } from "../../src/wire/card/card-signature.js";
import { generateKeyPair } from "jose";
import { openObserved } from "../support/servers/open-observed.js";
import type { Observed } from "../support/servers/open-observed.js";
import { verifies } from "../spec/verifies.js";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import { readAll } from "./open-agent.js";

let server: Observed;
beforeAll(async () => {
  server = await openObserved("/travel", "acme");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

it("passes calls through interceptors, the first outermost, each for its operations", async () => {
  const seen: string[] = [];
  const agent = await connect(server.url, {
    interceptors: [
      {
        before: ({ operation }) => void seen.push(`before ${operation}`),
        after: ({ operation }) => void seen.push(`after ${operation}`),
      },
      {
        operations: ["getTask"],
        around: async (outgoing, next) => {
          seen.push("around");
          return next(outgoing);
        },
      },
    ],
  });
  const { task } = await agent.send("task one", { returnImmediately: true });
  await agent.task(task?.id ?? "");
  expect(seen).toEqual([
    "before sendMessage",
    "after sendMessage",
    "before getTask",
    "around",
    "after getTask",
  ]);
});

it("lets an interceptor change what is sent, and end a call", async () => {
  const agent = await connect(server.url, {
    interceptors: [
      {
        before(outgoing) {
          if (outgoing.operation === "cancelTask") throw new Error("not today");
          if (outgoing.operation !== "sendStreamingMessage") return undefined;
          const { request } = outgoing;
          const message = { ...request.message, parts: [{ text: "echo changed" }] };
          return { ...outgoing, request: { ...request, message } };
        },
      },
    ],
  });
  expect(await agent.text("echo hello")).toBe("changed");
  await expect(agent.cancel("t")).rejects.toThrowError("not today");
});

it("sends the version, extensions and service parameters with every request, the card's too", async () => {
  verifies("version:client-sends");
  const sent: Headers[] = [];
  const activated: string[][] = [];
  // A URL that nobody has asked for yet, or its card would be known.
  const agent = await connect(`${server.url}/.well-known/agent-card.json?fresh`, {
    headers: { "X-Always": "1" },
    extensions: ["https://example.com/ext"],
    fetch: (url, init) => {
      sent.push(new Headers(init.headers));
      return fetch(url, init);
    },
  });
  await readAll(
    agent.stream("echo hi", {
      serviceParameters: { "X-Once": "2" },
      onExtensions: (uris) => activated.push([...uris]),
    }),
  );
  expect(sent.length).toBeGreaterThan(1);
  for (const headers of sent) expect(headers.get("A2A-Version")).toBe("1.0");
  const last = sent.at(-1);
  expect(last?.get("A2A-Extensions")).toBe("https://example.com/ext");
  expect([last?.get("X-Always"), last?.get("X-Once")]).toEqual(["1", "2"]);
  expect(sent[0]?.get("X-Always")).toBeNull();
  expect(activated).toEqual([[]]);
});

it("connects to the agent of a card of any version, given as it is", async () => {
  const earlier = await fetch(`${server.url}/.well-known/agent-card.json`, {
    headers: { "A2A-Version": "0.3" },
  });
  const agent = await connect((await earlier.json()) as JsonObject);
  expect([agent.card.name, agent.version]).toEqual(["Parley demo", "0.3"]);
  expect(await agent.text("echo hi")).toBe("hi");
  const oldest = await connect({ name: "Old", url: server.url, authentication: { schemes: [] } });
  expect([oldest.version, await oldest.text("echo hi")]).toEqual(["0.1", "hi"]);
  await expect(connect({ name: "Nowhere" })).rejects.toMatchObject({
    code: "INVALID_AGENT_RESPONSE",
    details: { metadata: { body: '{"name":"Nowhere"}' } },
  });
});

it("says why an agent could not be reached, not only that", async () => {
  const gone = await openChaosProxy(server.url);
  await gone.close();
  const agent = connect(gone.url, { patience: { maxAttempts: 1 } });
  await expect(agent).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("could not be reached: connect ECONNREFUSED") as string,
  });
});

it("verifies a card with the keys and by the algorithms that the caller trusts", async () => {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const { card } = await connect(server.url);
  const document = codecs["1.0"].encodeAgentCard(card);
  const jku = "https://keys.example/jwks.json";
  const signature = await signAgentCard(document, { key: privateKey, alg: "ES256", kid: "k", jku });
  const signed = addSignature(document, signature);
  const outcomeOf = async (card: JsonObject, options: Partial<VerifyAgentCardOptions> = {}) => {
    const keys: VerifyAgentCardOptions["keys"] = ({ kid, jku: from }) =>
      kid === "k" && from === jku ? publicKey : undefined;
    const trusted = { keys, allowedJkuHosts: ["keys.example"], ...options };
    const agent = await connect(card, { verifyCard: (one) => verifyAgentCard(one, trusted) });
    expect(await agent.text("echo hi")).toBe("hi");
    return agent.signature?.outcome;
  };
  expect(await outcomeOf(signed)).toBe("verified");
  expect(await outcomeOf(document)).toBe("absent");
  expect(await outcomeOf({ ...signed, name: "Someone else" })).toBe("invalid");
  expect(await outcomeOf(signed, { algorithms: ["EdDSA"] })).not.toBe("verified");
  expect(await outcomeOf(signed, { allowedJkuHosts: ["other.example"] })).not.toBe("verified");
});

it("tells what the signatures of the card are worth, and takes a refusal", async () => {
  const documents: unknown[] = [];
  const agent = await connect(server.url, {
    verifyCard: async (document) => {
      documents.push(document);
      return { outcome: "absent" };
    },
  });
  expect(agent.signature).toEqual({ outcome: "absent" });
  expect(documents).toMatchObject([{ name: "Parley demo" }]);
  const refused = connect(server.url, {
    verifyCard: () => Promise.reject(new Error("not signed")),
  });
  await expect(refused).rejects.toThrowError("not signed");
});

it("says what a card offers when there is nothing in it to use", async () => {
  const { card } = await connect(server.url);
  const only: AgentCard = {
    ...card,
    supportedInterfaces: [
      { url: "grpc.example:443", protocolBinding: "GRPC", protocolVersion: "1.0" },
    ],
  };
  await expect(connect(only)).rejects.toThrowError(
    /offers GRPC 1\.0; .*give connect\(\) `transports: grpcTransports/,
  );
  const agent = await connect(only, {
    transports: {
      GRPC: ({ url }) =>
        new Proxy({} as AgentService, {
          get: () => () => Promise.reject(new A2AError("INTERNAL", url)),
        }),
    },
  });
  await expect(agent.service.getTask({ id: "t" }, { version: "1.0" })).rejects.toThrowError(
    "grpc.example:443",
  );
});

it("sends the credentials of the caller to the agent, and none with the request for its card", async () => {
  const { card } = await connect(server.url);
  const sent: (string | null)[] = [];
  const secured: AgentCard = {
    ...card,
    securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { token: {} } }],
  };
  const agent = await connect(secured, {
    credentials: { token: "secret" },
    fetch: (url, init) => {
      sent.push(new Headers(init.headers).get("Authorization"));
      return fetch(url, init);
    },
  });
  expect(await agent.text("echo hi")).toBe("hi");
  expect(sent).toEqual(["Bearer secret"]);
  await expect(
    connect(secured, { credentials: {} }).then((one) => one.text("hi")),
  ).rejects.toThrowError('Parley demo requires "token" (HTTP Bearer)');
});

it("turns to 0.1 when an agent whose card tells no version knows no way to send of 0.2", async () => {
  const { card } = await connect(server.url);
  const methods: string[] = [];
  const agent = await connect(
    {
      ...card,
      supportedInterfaces: [
        { url: server.url, protocolBinding: "JSONRPC", protocolVersion: "0.2" },
      ],
    },
    {
      fetch: async (url, init) => {
        const { id, method } = JSON.parse(init.body as string) as {
          id: number;
          method: string;
        };
        methods.push(method);
        if (!method.startsWith("message/")) return fetch(url, init);
        const error = { code: -32601, message: "Method not found" };
        return Response.json({ jsonrpc: "2.0", id, error });
      },
    },
  );
  expect(await agent.text("echo hello")).toBe("hello");
  expect(await agent.text("task again")).toBe("again");
  expect(methods).toEqual(["message/stream", "tasks/sendSubscribe", "tasks/sendSubscribe"]);
});
