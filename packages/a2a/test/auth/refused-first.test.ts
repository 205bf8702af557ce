import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";

let server: Server;
let headers: Record<string, string>;

beforeAll(async () => {
  const { key, hash } = await createKey();
  headers = { "X-API-Key": key };
  const keys = [{ subject: "ada", hash }];
  const auth = createAuthenticator({
    schemes: { key: apiKey({ in: "header", name: "X-API-Key", keys }) },
  });
  server = await openServer({ auth });
});

afterAll(() => server.close());

const large = "x".repeat(200_000);
const plain = { "Content-Type": "application/json" };

describe("who may not call", () => {
  it.each([
    ["a large body", "POST /", rpc("SendMessage", say(large))],
    ["a large REST body", "POST /message:send", { json: say(large) }],
    ["no JSON", "POST /", { headers: plain, body: "{" }],
    ["no REST JSON", "POST /message:send", { headers: plain, body: "{" }],
    ["an unknown method", "POST /", rpc("Unknown")],
    ["invalid parameters", "POST /", rpc("GetTask", { id: 7 })],
    ["another type", "POST /", { headers: { "Content-Type": "text/plain" }, body: "x" }],
  ])("is told so, and nothing else, with %s", async (_, route, options) => {
    verifies("auth:check-first");
    const answer = await send(server.url, route, options);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toMatch(/^ApiKey /);
  });

  it("is answered with the id of its request, as far as that is read", async () => {
    const small = { jsonrpc: "2.0", id: "mine", method: "SendMessage", params: say("hi") };
    expect(jsonOf(await send(server.url, "POST /", { json: small })).id).toBe("mine");
    const long = { ...small, params: say(large) };
    expect(jsonOf(await send(server.url, "POST /", { json: long })).id).toBeNull();
  });

  it("reads the card, and is told of paths that do not exist", async () => {
    expect((await send(server.url, "GET /.well-known/agent-card.json")).status).toBe(200);
    expect((await send(server.url, "GET /favicon.ico")).status).toBe(404);
  });
});

it("who may call can send a large body", async () => {
  const answer = await send(
    server.url,
    "POST /",
    rpc("SendMessage", say(`echo ${large}`), headers),
  );
  expect(jsonOf(answer).result.message.parts[0].text).toBe(large);
});
