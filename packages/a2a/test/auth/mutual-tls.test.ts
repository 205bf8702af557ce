import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { ChannelCredentials } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import { agent } from "@parley/a2a/server";
import { createAuthenticator, keyTable, httpBearer, hashKey, mutualTls } from "@parley/a2a/auth";
import { createGrpcTransport } from "@parley/a2a/grpc";
import { serve } from "@parley/a2a/node";
import type { ServeOptions, Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { addressOf } from "../support/servers/open-served.js";
import { readTls } from "../support/files/tls.js";

const authority = readTls("localhost-cert");
const tls = { key: readTls("localhost-key"), cert: authority, ca: readTls("client-ca-cert") };

const whoami = agent({
  name: "Whoami",
  description: "Says who calls",
  run: ({ caller }) => caller?.subject ?? "nobody",
});

function open(options: ServeOptions = {}): Promise<Server> {
  const auth = createAuthenticator({ schemes: { mtls: mutualTls({ subject: "uri" }) } });
  const store = createMemoryStore();
  return serve(whoami, { port: 0, grpc: { port: 0 }, store, auth, tls, ...options });
}

type Name = "ada" | "bob" | "stranger" | undefined;

const message = { messageId: "m", role: "ROLE_USER" as const, parts: [{ text: "?" }] };

async function askOverHttp(serving: Server, name: Name, headers: Record<string, string> = {}) {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "SendMessage",
    params: { message },
  });
  const certificate = name && { key: readTls(`${name}-key`), cert: readTls(`${name}-cert`) };
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(
      serving.url,
      {
        method: "POST",
        ca: authority,
        agent: false,
        headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
        ...certificate,
      },
      resolve,
    );
    outgoing.once("error", reject);
    outgoing.end(body);
  });
  const answer = JSON.parse(await text(incoming)) as {
    result?: { message: { parts: [{ text: string }] } };
  };
  return {
    status: incoming.statusCode,
    challenge: incoming.headers["www-authenticate"],
    subject: answer.result?.message.parts[0].text,
  };
}

async function askOverGrpc(serving: Server, name: Name): Promise<string | undefined> {
  const credentials =
    name === undefined
      ? ChannelCredentials.createSsl(authority)
      : ChannelCredentials.createSsl(authority, readTls(`${name}-key`), readTls(`${name}-cert`));
  using transport = createGrpcTransport({
    address: addressOf(serving),
    version: "1.0",
    credentials,
  });
  const answer = await transport.sendMessage({ message }, { version: "1.0" });
  return answer.message?.parts[0]?.text;
}

describe("a certificate", () => {
  test("names its owner over HTTP and over gRPC", async () => {
    await using serving = await open();
    for (const name of ["ada", "bob"] as const) {
      const subject = `mtls#spiffe://example.com/${name}`;
      expect(await askOverHttp(serving, name)).toMatchObject({ status: 200, subject });
      expect(await askOverGrpc(serving, name)).toBe(subject);
    }
  });

  test("that the authority has not signed, or none at all, is refused in words", async () => {
    await using serving = await open();
    for (const name of ["stranger", undefined] as const) {
      expect(await askOverHttp(serving, name)).toEqual({
        status: 401,
        challenge: 'ClientCertificate realm="A2A"',
        subject: undefined,
      });
      await expect(askOverGrpc(serving, name)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    }
  });

  test("is not needed where a token will do", async () => {
    const verify = keyTable([{ subject: "carol", hash: await hashKey("a-token") }]);
    const auth = createAuthenticator({
      schemes: { mtls: mutualTls({ subject: "commonName" }), token: httpBearer({ verify }) },
    });
    await using serving = await open({ auth });
    const headers = { Authorization: "Bearer a-token" };
    expect(await askOverHttp(serving, "ada")).toMatchObject({ subject: "mtls#ada" });
    const byToken = await askOverHttp(serving, undefined, headers);
    expect(byToken).toMatchObject({ subject: "token#carol" });
    expect(await askOverHttp(serving, "stranger", headers)).toMatchObject(byToken);
  });

  test("is not asked for without an authority to trust", async () => {
    const { ca: _, ...plain } = tls;
    await expect(open({ tls: plain })).rejects.toThrowError("tls.ca");
  });
});
