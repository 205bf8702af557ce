import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import { call, jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import type { Answer, SendOptions } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { exchangeBytes, spell, statusIn } from "../support/clients/raw-socket.js";

let server: Server;
const reported: unknown[] = [];

beforeAll(async () => {
  server = await openServer({ reportFailure: (error) => reported.push(error) });
});

afterAll(async () => {
  await server.close();
  expect(reported).toEqual([]);
});

/** The server goes on serving, whatever it was sent. */
async function expectServing(): Promise<void> {
  const { result } = await call(server.url, "SendMessage", say("echo still here"));
  expect(result.message.parts).toEqual([{ text: "still here" }]);
}

/** Nothing of the server's insides is in an answer. */
function expectClean(text: string): void {
  expect(text).not.toMatch(
    /node_modules|^\s+at |\.(?:js|ts):\d|TypeError|SyntaxError|<html|<pre>/m,
  );
}

const json = { "Content-Type": "application/json" };
const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
const long = "x".repeat(100_000);

describe("what is not HTTP", () => {
  it.each<readonly [string, string | Buffer, number]>([
    ["no request at all", "hello\r\n\r\n", 400],
    [
      "bytes beyond ASCII in the path",
      Buffer.from("GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n", "latin1"),
      400,
    ],
    ["a version that there is not", "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", 400],
    ["a method that there is not", "FROB / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["no host", "GET / HTTP/1.1\r\n\r\n", 400],
    ["a null byte in the path", "GET /tasks/\0 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["a space in the path", "GET /tasks/a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n", 400],
    ["a null byte in a header", "GET / HTTP/1.1\r\nHost: localhost\r\nA: \0\r\n\r\n", 400],
    ["headers without end", `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${long}\r\n\r\n`, 431],
    ["a path without end", `GET /${long} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
      400,
    ],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "a length that is none",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
      400,
    ],
    [
      "a broken chunk",
      "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
    ["TLS", Buffer.from("16030100050100000100", "hex"), 400],
  ])("%s", async (_, bytes, status) => {
    const answer = await exchangeBytes(server.port, bytes);
    expect(statusIn(answer)).toBe(status);
    expectClean(answer);
    await expectServing();
  });
});

describe("targets and headers that are unusual but HTTP", () => {
  it.each<readonly [string, string | Buffer, number]>([
    [
      "a whole URL",
      "GET http://x/.well-known/agent-card.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
      200,
    ],
    ["a whole URL without a path", "GET http://x HTTP/1.1\r\nHost: localhost\r\n\r\n", 200],
    ["an asterisk", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", 204],
    [
      "bytes beyond ASCII in a header",
      Buffer.from("GET /tasks HTTP/1.1\r\nHost: localhost\r\nA: \xff\r\n\r\n", "latin1"),
      200,
    ],
    [
      "an upgrade",
      "GET /tasks HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
      200,
    ],
    ["two slashes", "GET //tasks HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["dots", "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404],
    ["a body after GET", spell("GET /tasks", "junk"), 200],
    [
      "chunks",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
      200,
    ],
  ])("%s", async (_, bytes, status) => {
    const answer = await exchangeBytes(server.port, bytes);
    expect(statusIn(answer)).toBe(status);
    expectClean(answer);
    await expectServing();
  });

  it("a promise to send more is answered before it is kept", async () => {
    const head =
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    expect(await exchangeBytes(server.port, head)).toMatch(/^HTTP\/1\.1 100 /);
  });
});

/** JSON-RPC requests that are none, and the number of the answer. */
const notJsonRpc: readonly (readonly [string, string | Buffer, number, (string | number)?])[] = [
  ["nothing", "", -32700],
  ["a blank", " ", -32700],
  ["a word", "hello", -32700],
  ["half an object", '{"jsonrpc":"2.0"', -32700],
  ["a trailing comma", '{"jsonrpc":"2.0","id":1,}', -32700],
  ["a comment", '{"jsonrpc":"2.0"/**/}', -32700],
  ["what is not UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700],
  ["UTF-16", Buffer.from('{"jsonrpc":"2.0"}', "utf16le"), -32700],
  ["a null byte", '{"a":"\0"}', -32700],
  ["null", "null", -32600],
  ["a number", "42", -32600],
  ["a string", '"SendMessage"', -32600],
  ["a list", "[]", -32600],
  ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]', -32600],
  ["an empty object", "{}", -32600],
  ["no version", '{"id":1,"method":"ListTasks"}', -32600, 1],
  ["another version", '{"jsonrpc":"1.0","id":1,"method":"ListTasks"}', -32600, 1],
  ["no method", '{"jsonrpc":"2.0","id":1}', -32600, 1],
  ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":1}', -32600, 1],
  ["an empty method", '{"jsonrpc":"2.0","id":1,"method":""}', -32600, 1],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"ListTasks"}', -32600],
  ["an id that is a fraction", '{"jsonrpc":"2.0","id":1.5,"method":"ListTasks"}', -32600],
  ["an id that is huge", `{"jsonrpc":"2.0","id":"${long}","method":"ListTasks"}`, -32600],
  ["an id that is true", '{"jsonrpc":"2.0","id":true,"method":"ListTasks"}', -32600],
  ["a response", '{"jsonrpc":"2.0","id":1,"result":{}}', -32600, 1],
  ["an unknown method", '{"jsonrpc":"2.0","id":"a","method":"Frobnicate"}', -32601, "a"],
  ["an unknown slash method", '{"jsonrpc":"2.0","id":2,"method":"tasks/frobnicate"}', -32601, 2],
  ["the name of a property", '{"jsonrpc":"2.0","id":2,"method":"__proto__"}', -32601, 2],
  ["the name of a function", '{"jsonrpc":"2.0","id":2,"method":"constructor"}', -32601, 2],
  ["a huge method", `{"jsonrpc":"2.0","id":2,"method":"${long}"}`, -32601, 2],
  ["a method in another case", '{"jsonrpc":"2.0","id":2,"method":"sendmessage"}', -32601, 2],
  [
    "params that are a list",
    '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":["t"]}',
    -32602,
    3,
  ],
  ["params that are a word", '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":"t"}', -32602, 3],
  ["no params", '{"jsonrpc":"2.0","id":3,"method":"GetTask"}', -32602, 3],
  ["params that are null", '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":null}', -32602, 3],
  [
    "params without end",
    `{"jsonrpc":"2.0","id":3,"method":"SendMessage","params":${deep}}`,
    -32600,
  ],
  [
    "a prototype",
    '{"jsonrpc":"2.0","id":3,"method":"SendMessage","params":{"__proto__":{"message":{}}}}',
    -32602,
    3,
  ],
];

describe("what is not JSON-RPC", () => {
  const cases = notJsonRpc.map(([name, body, code, id = null]) => ({ name, body, code, id }));

  it.each(cases)("$name", async ({ body, code, id }) => {
    verifies(
      "jsonrpc:parse-error",
      "jsonrpc:invalid-request",
      "jsonrpc:method-not-found",
      "jsonrpc:response-id",
    );
    const answer = await send(server.url, "POST /", { headers: json, body });
    expect(answer).toMatchObject({ status: 200, headers: { "content-type": "application/json" } });
    expect(jsonOf(answer)).toMatchObject({ jsonrpc: "2.0", id, error: { code } });
    expect(answer.text.length).toBeLessThan(2000);
    expectClean(answer.text);
    await expectServing();
  });
});

describe("what is refused before it is read", () => {
  it.each([
    ["another type", { "Content-Type": "text/plain" }, -32005],
    ["a compressed body", { ...json, "Content-Encoding": "gzip" }, -32005],
    ["a length beyond the limit", { ...json, "Content-Length": "99999999" }, -32600],
  ])("%s is so in the words of the version that is named", async (_, headers, code) => {
    for (const version of ["1.0", "0.3"]) {
      const fields = Object.entries({ ...headers, "A2A-Version": version });
      const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      const head = `POST / HTTP/1.1\r\nHost: localhost\r\n${lines}\r\n`;
      const [, body = ""] = (await exchangeBytes(server.port, head)).split("\r\n\r\n");
      const { error } = jsonOf({ text: body });
      expect(error.code).toBe(code);
      expect(Array.isArray(error.data)).toBe(version === "1.0");
    }
  });
});

const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "echo x" }] };

/** REST requests that are wrong, and the status of the answer. */
const notRest: readonly (readonly [string, string, SendOptions, number])[] = [
  ["no body", "POST /message:send", {}, 400],
  ["null", "POST /message:send", { body: "null", headers: json }, 400],
  ["half an object", "POST /message:send", { body: "{", headers: json }, 400],
  ["a list", "POST /message:send", { body: "[]", headers: json }, 400],
  ["a word", "POST /message:send", { body: '"x"', headers: json }, 400],
  ["a body without end", "POST /message:send", { body: deep, headers: json }, 400],
  ["half an object, in 0.3", "POST /v1/message:send", { body: "{", headers: json }, 400],
  ["an unknown path", "GET /frobnicate", {}, 404],
  ["an unknown path with half an object", "POST /frobnicate", { body: "{", headers: json }, 404],
  ["an unknown path of 0.3", "GET /v1/frobnicate", {}, 404],
  ["an unknown verb", "POST /tasks/t1:frobnicate", {}, 405],
  ["an unknown verb of messages", "POST /message:frobnicate", { json: { message } }, 404],
  ["a broken escape", "GET /tasks/%zz", {}, 404],
  ["half an escape", "GET /tasks/%", {}, 404],
  ["an escape that is not UTF-8", "GET /tasks/%ff", {}, 404],
  ["an escaped null byte", "GET /tasks/%00", {}, 400],
  ["half a surrogate", "GET /tasks/%ED%A0%80", {}, 404],
  ["an empty id", "GET /tasks/", {}, 404],
  ["an id without end", `GET /tasks/${"x".repeat(8000)}`, {}, 400],
  ["an id that is dots", "GET /tasks/%2e%2e%2f", {}, 404],
  ["a path too long", "GET /tasks/a/b/c/d/e/f", {}, 404],
  ["a query twice", "GET /tasks?pageSize=1&pageSize=2", {}, 400],
  ["a query of another type", "GET /tasks?pageSize=many", {}, 400],
  ["a query that is a boolean and is none", "GET /tasks?includeArtifacts=perhaps", {}, 400],
  ["a page token that is none", "GET /tasks?pageToken=%00", {}, 400],
  ["a broken escape in the query", "GET /tasks?pageToken=%zz", {}, 400],
  ["an unknown query", "GET /tasks?frobnicate=1", {}, 200],
  ["a tenant that is no name", "GET /a%3Ab/tasks", {}, 404],
  [
    "a key without end",
    "POST /message:send",
    { json: { message }, headers: { "Idempotency-Key": "k".repeat(300) } },
    400,
  ],
  [
    "a compressed body",
    "POST /message:send",
    { body: "\x1f\x8b", headers: { ...json, "Content-Encoding": "gzip" } },
    400,
  ],
];

describe("what is not REST", () => {
  it.each(notRest)("%s: %s", async (_, route, options, status) => {
    verifies("rest:error-body", "rest:detail-type");
    const answer = await send(server.url, route, options);
    expect(answer.status).toBe(status);
    expectClean(answer.text);
    if (status !== 200) expectRestError(answer, route.includes("/v1/"));
    await expectServing();
  });

  it.each(["0", "-1", "1e-3", "0x10", "1.5", "9".repeat(30), " 5", "٣"])(
    "historyLength=%s",
    async (value) => {
      const query = new URLSearchParams({ historyLength: value });
      const answer = await send(server.url, `GET /tasks?${query}`);
      expect(answer.status).toBe(value === "0" ? 200 : 400);
      expectClean(answer.text);
    },
  );
});

function expectRestError(answer: Answer, isEarlier: boolean): void {
  const body = jsonOf(answer);
  expect(answer.headers["content-type"]).toBe(
    isEarlier ? "application/json" : "application/a2a+json",
  );
  if (isEarlier)
    expect(body).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
  else {
    expect(body.error).toMatchObject({
      code: answer.status,
      status: expect.stringMatching(/^[A-Z_]+$/),
    });
    for (const detail of body.error.details) expect(detail).toHaveProperty("@type");
  }
  expect(answer.text.length).toBeLessThan(2000);
}

describe("a body that is too large", () => {
  const limits = { maxBodyBytes: 1000, maxParts: 10, maxJsonDepth: 20, maxIdLength: 50 };
  const tooLong = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { x: "x".repeat(2000) },
  });

  it.each([
    ["JSON-RPC", "POST /"],
    ["REST", "POST /message:send"],
    ["REST of 0.3", "POST /v1/message:send"],
  ])("is refused by its length in %s", async (_, route) => {
    await using small = await openServer({ limits });
    const answer = await send(small.url, route, { headers: json, body: tooLong });
    expect(answer.status).toBe(413);
    expect(jsonOf(answer)).toBeTypeOf("object");
    const { result } = await call(small.url, "SendMessage", say("echo x"));
    expect(result.message.parts).toEqual([{ text: "x" }]);
  });

  it.each(["POST /", "POST /message:send", "POST /v1/message:send"])(
    "is refused in chunks by %s",
    async (route) => {
      await using small = await openServer({ limits });
      const head = `${route} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunk = `64\r\n${"x".repeat(100)}\r\n`;
      const answer = await exchangeBytes(small.port, `${head}${chunk.repeat(20)}0\r\n\r\n`);
      expect(statusIn(answer)).toBe(413);
    },
  );

  it("is refused by its length alone, before it is sent", async () => {
    const head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n";
    expect(statusIn(await exchangeBytes(server.port, head))).toBe(413);
    await expectServing();
  });

  it("is taken up to the limit, which is 10 MiB unless set", async () => {
    const text = "x".repeat(10 * 1024 * 1024 - 1000);
    const { result } = await call(server.url, "SendMessage", say(`echo ${text}`));
    expect(result.message.parts[0].text.length).toBe(text.length);
    const more = await send(
      server.url,
      "POST /",
      rpc("SendMessage", say("x".repeat(10 * 1024 * 1024))),
    );
    expect(more.status).toBe(413);
    await expectServing();
  });
});
