import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { A2AError, agent } from "@parley/a2a";
import { apiKey, createAuthenticator, hashKey, httpBearer, keyTable } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import type { Server } from "@parley/a2a/node";
import { openServer } from "../support/servers/open-server.js";
import { bareCard } from "./bare-card.js";
import { connectOver, interfaces } from "./open-agent.js";

const key = "a key that is long enough to be one";

let server: Server;
beforeAll(async () => {
  const keys = keyTable([{ hash: await hashKey(key), subject: "ada", scopes: [] }]);
  server = await openServer({
    agent: agent({ name: "Reserved", description: "For the known", run: () => "hello" }),
    grpc: { port: 0 },
    auth: createAuthenticator({
      schemes: {
        key: apiKey({ in: "header", name: "X-Key", keys }),
        token: httpBearer({ verify: keys }),
      },
    }),
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const required = '"key" (an API key in the header X-Key), or "token" (HTTP bearer)';

describe.each(interfaces)("over %s in version %s", (...way) => {
  it("a caller without credentials is told what the card requires, and how to give it", async () => {
    const remote = await connectOver(server.url, way, { grpcAddress: server.grpcAddress });
    await expect(remote.text("hi")).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: `authentication is required: ${required}; give connect() credentials: { "key": … }`,
    });
    await expect(remote.task("t")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("a caller with wrong credentials is told what it has given", async () => {
    const remote = await connectOver(server.url, way, {
      grpcAddress: server.grpcAddress,
      credentials: { key: "wrong" },
    });
    await expect(remote.text("hi")).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message:
        `the credentials are not valid; Reserved requires ${required}; ` +
        'connect() was given credentials for "key"',
    });
  });
});

it("tells over HTTP by which challenge the agent refuses", async () => {
  const remote = await connect(server.url);
  await expect(remote.send("hi")).rejects.toMatchObject({
    details: {
      challenges: ['ApiKey realm="A2A", in="header", name="X-Key", Bearer realm="A2A"'],
    },
  });
});

describe("an agent that refuses in its own words", () => {
  it.each<[string, Response, string]>([
    [
      "a page",
      new Response("<h1>Log in</h1>", { status: 401 }),
      "the agent answered with HTTP 401",
    ],
    ["nothing", new Response(null, { status: 401 }), "the agent answered with HTTP 401"],
    [
      "a document",
      Response.json({ error: { code: -32000, message: "who are you?" } }, { status: 401 }),
      "who are you?",
    ],
  ])("is heard, and its card too: %s", async (_, answer, said) => {
    const secured = bareCard("https://agent.example/", "JSONRPC", {
      securitySchemes: { sso: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { sso: {} } }],
    });
    const open = bareCard("https://agent.example/", "JSONRPC");
    const refusal = async (card: typeof open): Promise<unknown> => {
      const remote = await connect(card, { fetch: async () => answer.clone() });
      return remote.send("hi").catch((error: unknown) => error);
    };
    const error = await refusal(secured);
    expect(A2AError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: "UNAUTHENTICATED",
      message: `${said}; Somewhere requires "sso" (HTTP Bearer); give connect() credentials: { "sso": … }`,
    });
    expect(await refusal(open)).toMatchObject({
      code: "UNAUTHENTICATED",
      message: `${said}; the card of Somewhere does not say how to authenticate`,
    });
  });

  it("is described no further than needed when its card names many ways", async () => {
    const names = Array.from({ length: 1000 }, (_, index) => `scheme-${index}`);
    const scheme = { httpAuthSecurityScheme: { scheme: "Bearer" } };
    const card = bareCard("https://agent.example/", "JSONRPC", {
      securitySchemes: Object.fromEntries(names.map((name) => [name, scheme])),
      securityRequirements: names.map((name) => ({ schemes: { [name]: {} } })),
    });
    const fetch = async (): Promise<Response> => new Response(null, { status: 401 });
    const remote = await connect(card, { fetch });
    await expect(remote.send("hi")).rejects.toThrowError(/^.{1,500}$/);
  });
});
