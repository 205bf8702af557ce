import { describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { RawClient, say as sayOverGrpc } from "../support/clients/raw-grpc-client.js";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { verifies } from "../spec/verifies.js";

describe.each(["header", "query", "cookie"] as const)("a key in the %s", (location) => {
  const name = "api_key";

  async function open() {
    const { key, hash } = await createKey();
    const scheme = apiKey({ in: location, name, keys: [{ subject: "ada", hash }] });
    const serving = await openServed({ auth: createAuthenticator({ schemes: { scheme } }) });
    const query = location === "query" ? `?${name}=${key}` : "";
    const headers: Record<string, string> = {
      ...(location === "header" && { [name]: key }),
      ...(location === "cookie" && { cookie: `a=b; ${name}=${key}` }),
    };
    return { serving, key, query, headers, [Symbol.asyncDispose]: () => serving.close() };
  }

  it("opens JSON-RPC and REST", async () => {
    await using server = await open();
    const { serving, query, headers } = server;
    const options = rpc("SendMessage", say("task x"), headers);
    const sent = jsonOf(await send(serving.url, `POST /${query}`, options));
    const { id } = sent.result.task;
    const got = await send(serving.url, `GET /tasks/${id}${query}`, { headers });
    expect(jsonOf(got).id).toBe(id);
    const listed = await send(serving.url, `GET /tasks${query}`, { headers });
    expect(jsonOf(listed).totalSize).toBe(1);
    const earlier = await send(serving.url, `GET /v1/tasks/${id}${query}`, { headers });
    expect(earlier.status).toBe(200);
    for (const route of ["POST /", "GET /tasks", `GET /tasks/${id}`, `GET /v1/tasks/${id}`]) {
      const without = await send(serving.url, route, route === "POST /" ? rpc("ListTasks") : {});
      expect(without.status).toBe(401);
    }
  });

  it("opens gRPC, as metadata", async () => {
    verifies("binding:same-authentication");
    await using server = await open();
    const grpc = new RawClient(addressOf(server.serving));
    const metadata = location === "query" ? { [name]: server.key } : server.headers;
    const answer = await grpc.call("1.0", "SendMessage", sayOverGrpc("echo hi"), { metadata });
    expect(answer.error).toBeUndefined();
    grpc.close();
  });

  it("is sent there by the client, which reads where in the card", async () => {
    verifies("auth:client-discovers", "auth:client-sends");
    await using server = await open();
    const agent = await connect(server.serving.url, { credentials: { scheme: server.key } });
    expect(await agent.text("echo hi")).toBe("hi");
    const wrong = await connect(server.serving.url, { credentials: { scheme: "wrong" } });
    await expect(wrong.text("echo hi")).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});
