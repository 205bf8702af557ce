import { randomUUID } from "node:crypto";
import * as sdk03 from "a2a-sdk-0.3/client";
import * as sdk10 from "a2a-sdk-1.0/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAuthenticator, httpBearer, jwt, openIdConnect } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { audience, createTokenIssuer, issuer } from "../support/auth/token-issuer.js";
import type { TokenIssuer } from "../support/auth/token-issuer.js";
import { openServer } from "../support/servers/open-server.js";
import { say } from "../support/clients/sdk-1.0.js";

let server: Server;
let source: TokenIssuer;

beforeAll(async () => {
  source = await createTokenIssuer();
  const verify = jwt({ issuer, audience, jwks: source.jwks() });
  const auth = createAuthenticator({
    schemes: {
      token: httpBearer({ verify, bearerFormat: "JWT" }),
      oidc: openIdConnect({ issuer, verify }),
    },
  });
  server = await openServer({ auth });
});

afterAll(() => server.close());

/** As the official clients have it: shows an old token first, and a new one when it is refused. */
async function openHandler() {
  const expired = await source.sign({ exp: 1_700_000_000 });
  const challenges: (string | null)[] = [];
  const handler = {
    headers: async () => ({ Authorization: `Bearer ${expired}` }),
    shouldRetryWithHeaders: async (_: RequestInit, { status, headers }: Response) => {
      if (status !== 401) return undefined;
      challenges.push(headers.get("www-authenticate"));
      return { Authorization: `Bearer ${await source.sign()}` };
    },
  };
  return { handler, challenges };
}

const refused = 'Bearer realm="A2A", error="invalid_token"';

describe.each(["JSONRPC", "HTTP+JSON"])("an official client over %s", (binding) => {
  test("of 1.0 reads the card, is refused, renews its token and is let in", async () => {
    const { handler, challenges } = await openHandler();
    const fetchImpl = sdk10.createAuthenticatingFetchWithRetry(fetch, handler);
    const factory = new sdk10.ClientFactory({
      transports: [
        new sdk10.JsonRpcTransportFactory({ fetchImpl }),
        new sdk10.RestTransportFactory({ fetchImpl }),
      ],
      preferredTransports: [binding],
    });
    const client = await factory.createFromUrl(server.url);
    expect(JSON.stringify(await client.sendMessage(say("echo hello")))).toContain("hello");
    const events: unknown[] = [];
    for await (const event of client.sendMessageStream(say("task x"))) events.push(event);
    expect(events.length).toBeGreaterThan(1);
    expect(challenges).toEqual([refused, refused]);
  });

  test("of 0.3 does the same", async () => {
    const { handler, challenges } = await openHandler();
    const fetchImpl = sdk03.createAuthenticatingFetchWithRetry(fetch, handler);
    const factory = new sdk03.ClientFactory({
      ...sdk03.ClientFactoryOptions.default,
      transports: [
        new sdk03.JsonRpcTransportFactory({ fetchImpl }),
        new sdk03.RestTransportFactory({ fetchImpl }),
      ],
      preferredTransports: [binding],
    });
    const client = await factory.createFromUrl(server.url);
    const text = { kind: "text", text: "echo hello" } as const;
    const messageId = randomUUID();
    const message = { kind: "message", messageId, role: "user", parts: [text] } as const;
    const answer = await client.sendMessage({ message: { ...message, parts: [text] } });
    expect(JSON.stringify(answer)).toContain("hello");
    expect(challenges).toEqual([refused]);
  });
});
