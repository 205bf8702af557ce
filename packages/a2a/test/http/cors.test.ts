import { describe, expect, it } from "vitest";
import { rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const page = "https://page.example";
const preflight = {
  Origin: page,
  "Access-Control-Request-Method": "POST",
  "Access-Control-Request-Headers": "content-type, a2a-version, last-event-id",
};

function corsOf(headers: object): Record<string, unknown> {
  const entries = Object.entries(headers);
  return Object.fromEntries(entries.filter(([name]) => name.startsWith("access-control-")));
}

describe("pages of other origins", () => {
  it("are told nothing by default, before a call and after it", async () => {
    await using server = await openServer();
    const asked = await send(server.url, "OPTIONS /", { headers: preflight });
    expect([asked.status, corsOf(asked.headers)]).toEqual([204, {}]);
    const headers = { Origin: page };
    const called = await send(server.url, "POST /", rpc("SendMessage", say("echo x"), headers));
    expect([called.status, corsOf(called.headers)]).toEqual([403, {}]);
    const card = await send(server.url, "GET /.well-known/agent-card.json", { headers });
    expect(corsOf(card.headers)).toEqual({});
  });

  it("may call when their origin is allowed, and see the headers that matter", async () => {
    await using server = await openServer({ cors: { origins: ["https://other.example", page] } });
    const asked = await send(server.url, "OPTIONS /tasks", { headers: preflight });
    expect(asked).toMatchObject({ status: 204, headers: { vary: "Origin" } });
    expect(corsOf(asked.headers)).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": "content-type, a2a-version, last-event-id",
      "access-control-max-age": "600",
    });
    const headers = { Origin: page };
    const called = await send(server.url, "POST /", rpc("SendMessage", say("echo x"), headers));
    expect(corsOf(called.headers)).toEqual({
      "access-control-allow-origin": page,
      "access-control-expose-headers": expect.stringContaining("A2A-Extensions"),
    });
  });

  it.each([
    "https://evil.example",
    "https://page.example.evil.example",
    "null",
    "HTTPS://PAGE.EXAMPLE",
  ])("may not when it is not: %s", async (origin) => {
    await using server = await openServer({ cors: { origins: [page] } });
    const headers = { ...preflight, Origin: origin };
    const asked = await send(server.url, "OPTIONS /", { headers });
    expect([corsOf(asked.headers), asked.headers.vary]).toEqual([{}, "Origin"]);
  });

  it("may all call where all are allowed, but never with credentials", async () => {
    await using server = await openServer({ cors: { origins: "*", credentials: true } });
    const headers = { Origin: page };
    const called = await send(server.url, "GET /tasks", { headers });
    expect(corsOf(called.headers)).toMatchObject({ "access-control-allow-origin": "*" });
    expect(called.headers).not.toHaveProperty("access-control-allow-credentials");
  });

  it.each([
    [undefined, undefined],
    [false, undefined],
    [true, "true"],
  ])("send credentials only where that is switched on: %s", async (credentials, expected) => {
    const cors = { origins: [page], ...(credentials !== undefined && { credentials }) };
    await using server = await openServer({ cors });
    const called = await send(server.url, "GET /tasks", { headers: { Origin: page } });
    expect(called.headers["access-control-allow-credentials"]).toBe(expected);
  });

  it("read errors, streams and cards as well, each kept apart in caches", async () => {
    await using server = await openServer({ cors: { origins: [page] } });
    const headers = { Origin: page };
    const refused = await send(server.url, "GET /tasks/none", { headers });
    expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([404, page]);
    const stream = await send(server.url, "POST /message:stream", {
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(say("task x")),
    });
    expect(stream.headers["access-control-allow-origin"]).toBe(page);
    const card = await send(server.url, "GET /.well-known/agent-card.json", { headers });
    expect(card.headers.vary).toBe("A2A-Version, Origin");
  });

  it("cannot slip headers into the answer to a preflight", async () => {
    await using server = await openServer({ cors: { origins: [page] } });
    const headers = { ...preflight, "Access-Control-Request-Headers": "x: y; *" };
    const asked = await send(server.url, "OPTIONS /", { headers });
    expect(asked.headers["access-control-allow-headers"]).toBe("");
  });

  it("cannot post unasked by leaving the type of the body out", async () => {
    await using server = await openServer({ cors: { origins: [page] } });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} });
    const unasked = await send(server.url, "POST /", { headers: { Origin: page }, body });
    expect(unasked.text).toContain("-32005");
    const program = await send(server.url, "POST /", { body });
    expect(program.text).toContain('"totalSize":0');
  });
});
