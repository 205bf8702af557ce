import { describe, expect, it } from "vitest";
import { open, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { exchangeBytes, statusIn } from "../support/clients/raw-socket.js";

const safe = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
};

describe("every answer", () => {
  it.each<[string, string, Parameters<typeof send>[2]]>([
    ["of JSON-RPC", "POST /", rpc("SendMessage", say("echo x"))],
    ["with a JSON-RPC error", "POST /", rpc("GetTask", { id: "nothing" })],
    ["to no JSON", "POST /", { headers: { "Content-Type": "application/json" }, body: "{" }],
    ["of REST", "GET /tasks", {}],
    ["with a REST error", "GET /tasks/nothing", {}],
    ["to a path that there is not", "GET /nothing/of/that/kind", {}],
    ["to a browser", "GET /", {}],
    ["to a method that there is not", "PUT /", {}],
  ])("%s is kept nowhere and taken for nothing else", async (_, route, request) => {
    await using server = await openServer();
    const { headers } = await send(server.url, route, request);
    expect(headers).toMatchObject({ ...safe, "cache-control": "no-store" });
  });

  it("that is a stream is kept nowhere and left as it is", async () => {
    await using server = await openServer();
    const request = rpc("SendStreamingMessage", say("echo x"));
    const incoming = await open(server.url, "POST /", request);
    expect(incoming.headers).toMatchObject({
      ...safe,
      "cache-control": "no-store, no-transform",
    });
    incoming.destroy();
  });

  it("that is a card may be kept, and is safe otherwise", async () => {
    await using server = await openServer();
    const { headers } = await send(server.url, "GET /.well-known/agent-card.json");
    expect(headers).toMatchObject({ ...safe, "cache-control": "public, max-age=300" });
  });

  it.each(["/healthz", "/readyz"])("of %s is one of the moment", async (path) => {
    await using server = await openServer();
    const { headers } = await send(server.url, `GET ${path}`);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
    });
  });
});

describe("requests", () => {
  it("with a URL that is too long are refused before anything else is done", async () => {
    await using server = await openServer();
    const { status } = await send(server.url, `GET /tasks?pageToken=${"x".repeat(9000)}`);
    expect(status).toBe(414);
    expect((await send(server.url, `GET /tasks/${"x".repeat(7000)}`)).status).toBe(400);
  });

  it.each([
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    [
      "chunks that are not the last coding",
      "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    ],
    ["a space before the colon", "Content-Length : 2\r\n\r\n{}"],
    [
      "a line that goes on in the next",
      "X-A: b\r\n c\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n",
    ],
    ["a bare line feed in a chunk", "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n"],
  ])("that could be read in two ways are refused: %s", async (_, rest) => {
    await using server = await openServer();
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    expect(statusIn(await exchangeBytes(server.port, head + rest))).toBe(400);
  });
});

it.each(["localhost", "evil.example"])("a second host is refused: %s", async (host) => {
  await using server = await openServer();
  for (const [first, second] of [
    ["Host", "Host"],
    ["host", "HOST"],
  ]) {
    const bytes = `GET /tasks HTTP/1.1\r\n${first}: localhost\r\n${second}: ${host}\r\n\r\n`;
    const answer = await exchangeBytes(server.port, bytes);
    expect(statusIn(answer)).toBe(400);
    expect(answer).toContain("two Host headers");
  }
});

describe("an open server on this machine", () => {
  const foreign = { Host: "evil.example:4100" };

  it("does not answer pages whose name was made to lead to it", async () => {
    await using server = await openServer();
    const listed = await send(server.url, "GET /tasks", { headers: foreign });
    expect(listed.status).toBe(421);
    expect(listed.text).not.toContain("evil.example");
    const sent = await send(server.url, "POST /", rpc("SendMessage", say("echo x"), foreign));
    expect(sent.status).toBe(421);
  });

  it.each(["localhost", "localhost:1", "127.0.0.1:2", "[::1]:3", "a.localhost"])(
    "answers by its own name %s",
    async (host) => {
      await using server = await openServer();
      const { status } = await send(server.url, "GET /tasks", { headers: { Host: host } });
      expect(status).toBe(200);
    },
  );

  it("answers by the names it is published under", async () => {
    const headers = { Host: "agents.example" };
    await using published = await openServer({ publicUrl: "https://agents.example/travel" });
    expect((await send(published.url, "GET /tasks", { headers })).status).toBe(200);
    await using listed = await openServer({ publicHosts: ["agents.example", "b.example"] });
    expect((await send(listed.url, "GET /tasks", { headers })).status).toBe(200);
    expect((await send(listed.url, "GET /tasks", { headers: foreign })).status).toBe(421);
  });

  it("behind a proxy that it trusts answers by its own names, too, and by no others", async () => {
    const trustsProxy = (address: string): boolean => address === "127.0.0.1";
    await using behind = await openServer({ trustsProxy, publicHosts: ["agents.example"] });
    const status = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await send(behind.url, "GET /tasks", { headers })).status;
    expect(await status(foreign)).toBe(421);
    expect(await status({ ...foreign, "X-Forwarded-Host": "agents.example" })).toBe(421);
    expect(await status({ "X-Forwarded-Host": "evil.example" })).toBe(421);
    expect(await status({ Forwarded: "for=192.0.2.1;host=evil.example" })).toBe(421);
    expect(await status({ "X-Forwarded-Host": "agents.example" })).toBe(200);
    expect(await status({ Host: "agents.example", "X-Forwarded-For": "192.0.2.1" })).toBe(200);
    expect(await status({})).toBe(200);
  });
});
