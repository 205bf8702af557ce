import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "@parley/a2a";
import { verifies } from "../spec/verifies.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import type { ServerOptions } from "../support/servers/open-server.js";
import { readTls } from "../support/files/tls.js";

type Headers = Readonly<Record<string, string>>;

/** The address that a card names when it is asked for with these headers. */
async function addressIn(options: ServerOptions, headers: Headers): Promise<string> {
  await using server = await openServer(options);
  const answer = await send(server.url, "GET /.well-known/agent-card.json", { headers });
  const { url, supportedInterfaces } = jsonOf(answer);
  expect(supportedInterfaces[0].url).toBe(url);
  return url.replace(String(server.port), "PORT");
}

const trusting: ServerOptions = { trustsProxy: (address) => address === "127.0.0.1" };
const chained: ServerOptions = {
  trustsProxy: (address) => address === "127.0.0.1" || address.startsWith("10."),
};

describe("without a proxy the address is", () => {
  it.each<readonly [string, ServerOptions, Headers, string]>([
    ["the Host header", {}, { Host: "agents.example:8080" }, "http://agents.example:8080"],
    ["the Host header, of IPv6", {}, { Host: "[::1]:9" }, "http://[::1]:9"],
    [
      "what is configured",
      { publicUrl: "https://agents.example/base/" },
      { Host: "internal" },
      "https://agents.example/base",
    ],
    [
      "what is configured, whatever a proxy says",
      { ...trusting, publicUrl: "https://agents.example" },
      { "X-Forwarded-Host": "other.example" },
      "https://agents.example",
    ],
    [
      "not what a stranger forwards",
      {},
      {
        Host: "a.example",
        Forwarded: "host=evil.example;proto=https",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Prefix": "/evil",
      },
      "http://a.example",
    ],
    [
      "not what a stranger forwards, though others are trusted",
      { trustsProxy: (address) => address === "10.0.0.1" },
      { Host: "a.example", "X-Forwarded-Host": "evil.example" },
      "http://a.example",
    ],
  ])("%s", async (_, options, headers, expected) => {
    expect(await addressIn(options, headers)).toBe(expected);
  });
});

describe("behind a trusted proxy the address is", () => {
  it.each<readonly [string, ServerOptions, Headers, string]>([
    [
      "in Forwarded",
      trusting,
      { Forwarded: "for=1.2.3.4;proto=https;host=a.example" },
      "https://a.example",
    ],
    [
      "in Forwarded, quoted",
      trusting,
      { Forwarded: 'Host="a.example:8443"; Proto="https"' },
      "https://a.example:8443",
    ],
    [
      "of a scheme in any case",
      trusting,
      { Forwarded: "Host=a.example;Proto=HTTPS" },
      "https://a.example",
    ],
    [
      "in X-Forwarded-*",
      trusting,
      { "X-Forwarded-Host": "a.example", "X-Forwarded-Proto": "https" },
      "https://a.example",
    ],
    [
      "with its port",
      trusting,
      { "X-Forwarded-Host": "a.example", "X-Forwarded-Port": "8443", "X-Forwarded-Proto": "https" },
      "https://a.example:8443",
    ],
    [
      "without the usual port",
      trusting,
      { "X-Forwarded-Host": "a.example", "X-Forwarded-Port": "443", "X-Forwarded-Proto": "https" },
      "https://a.example",
    ],
    [
      "below its prefix",
      trusting,
      { "X-Forwarded-Host": "a.example", "X-Forwarded-Prefix": "/agents/travel/" },
      "http://a.example/agents/travel",
    ],
    [
      "of the Host header where it says nothing of a host",
      trusting,
      { Host: "h.example", "X-Forwarded-Proto": "https" },
      "https://h.example",
    ],
    [
      "in Forwarded rather than in X-Forwarded-*",
      trusting,
      { Forwarded: "host=a.example", "X-Forwarded-Host": "b.example" },
      "http://a.example",
    ],
    [
      "what the proxy itself appended, not what it was told",
      trusting,
      { Forwarded: "for=6.6.6.6;host=evil.example, for=1.2.3.4;host=a.example" },
      "http://a.example",
    ],
    [
      "what the proxy itself appended to X-Forwarded-Host",
      trusting,
      { "X-Forwarded-Host": "evil.example, a.example" },
      "http://a.example",
    ],
    [
      "what the outermost trusted proxy saw",
      chained,
      {
        Forwarded:
          "for=6.6.6.6;host=evil.example, for=1.2.3.4;host=a.example;proto=https, for=10.0.0.7;host=inner",
      },
      "https://a.example",
    ],
    [
      "what the outermost trusted proxy saw, by X-Forwarded-For",
      chained,
      {
        "X-Forwarded-For": "6.6.6.6, 1.2.3.4, 10.0.0.7",
        "X-Forwarded-Host": "evil.example, a.example, inner",
      },
      "http://a.example",
    ],
    [
      "not a scheme that is none",
      trusting,
      { "X-Forwarded-Host": "a.example", "X-Forwarded-Proto": "javascript" },
      "http://a.example",
    ],
    [
      "not a prefix that leads elsewhere",
      trusting,
      { Host: "a.example", "X-Forwarded-Prefix": "//evil.example" },
      "http://a.example",
    ],
    [
      "not a host that ends the address early",
      trusting,
      { Host: "a.example", "X-Forwarded-Host": "evil.example/path?" },
      "http://a.example",
    ],
  ])("%s", async (_, options, headers, expected) => {
    expect(await addressIn(options, headers)).toBe(expected);
  });
});

describe("a Host header that is none", () => {
  it.each([
    "evil.example/path",
    "evil.example?x=",
    "user@evil.example",
    "evil.example#",
    'evil.example"',
    "<script>",
    "a b",
    "evil.example:port",
    "[::1",
    "",
    "evil\\example",
  ])("%j does not get into the card", async (host) => {
    expect(await addressIn({}, { Host: host })).toBe("http://127.0.0.1:PORT");
  });

  it("is not missed by callers of HTTP/1.0", async () => {
    await using server = await openServer();
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET /.well-known/agent-card.json HTTP/1.0\r\n\r\n");
    const [, body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(jsonOf({ text: body }).url).toBe(server.url);
  });

  it("fills no memory, however many there are", async () => {
    let made = 0;
    const signCard = async (card: JsonObject): Promise<JsonObject> => {
      made += 1;
      return card;
    };
    await using server = await openServer({ signCard });
    const ask = async (number: number): Promise<void> => {
      const headers = { Host: `h${number}.example` };
      const answer = await send(server.url, "GET /.well-known/agent-card.json", { headers });
      expect(jsonOf(answer).url).toBe(`http://h${number}.example`);
    };
    for (let number = 0; number < 64; number += 1) await ask(number);
    await ask(0);
    expect(made).toBe(64);
    // One more than are kept: what was kept of the first is gone, and it is made again.
    await ask(64);
    await ask(0);
    expect(made).toBe(66);
  });
});

it("is https where the server speaks TLS itself, and calls are answered there", async () => {
  verifies("card:interface-https");
  verifies("card:https");
  const tls = { cert: readTls("localhost-cert"), key: readTls("localhost-key") };
  await using server = await openServer({ tls });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const url = `${server.url}/.well-known/agent-card.json`;
    const headers = { Host: "localhost:1" };
    get(url, { ca: tls.cert, servername: "localhost", agent: false, headers }, resolve).on(
      "error",
      reject,
    );
  });
  expect(jsonOf({ text: await text(answer) }).url).toBe("https://localhost:1");
});
