import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Metadata, status } from "@grpc/grpc-js";
import { apiKey, createAuthenticator, createKey, httpBearer, jwt } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { RawClient, say as sayOverGrpc } from "../support/clients/raw-grpc-client.js";
import { call, say } from "../support/clients/http-client.js";
import { exchangeBytes, spell, statusIn } from "../support/clients/raw-socket.js";
import { audience, createTokenIssuer, issuer } from "../support/auth/token-issuer.js";
import { rounds } from "../support/rounds.js";

let serving: Server;
let grpc: RawClient;
let token: string;

beforeAll(async () => {
  const source = await createTokenIssuer();
  token = await source.sign();
  const { hash } = await createKey();
  const keys = [{ subject: "ada", hash }];
  const auth = createAuthenticator({
    schemes: {
      header: apiKey({ in: "header", name: "X-Key", keys }),
      query: apiKey({ in: "query", name: "key", keys }),
      cookie: apiKey({ in: "cookie", name: "key", keys }),
      jwt: httpBearer({ verify: jwt({ issuer, audience, jwks: source.jwks() }) }),
    },
  });
  serving = await openServed({ auth });
  grpc = new RawClient(addressOf(serving));
});

afterAll(async () => {
  grpc.close();
  await serving.close();
});

const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "SendMessage",
  params: say("echo hi"),
});

/** The server closes after its answer, as it is asked to. */
const untilClosed = { untilClosed: true };

/** Any bytes but those that end a line. */
const value = fc
  .uint8Array({ minLength: 1, maxLength: 200 })
  .map((bytes) =>
    Buffer.from(bytes.filter((byte) => byte !== 10 && byte !== 13)).toString("latin1"),
  );

const headerLine = fc
  .tuple(
    fc.constantFrom(
      "Authorization: ",
      "Authorization: Bearer ",
      "Authorization: Basic ",
      "X-Key: ",
      "Cookie: key=",
    ),
    value,
  )
  .map((parts) => `${parts.join("")}\r\n`);

it("headers of any bytes are refused by node or by us, and the server goes on", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(headerLine, { minLength: 1, maxLength: 4 }), async (lines) => {
      const headers = `Content-Type: application/json\r\nConnection: close\r\n${lines.join("")}`;
      const bytes = Buffer.from(spell("POST /", body, headers).toString("latin1"), "latin1");
      const answer = await exchangeBytes(serving.port, bytes, untilClosed);
      expect([400, 401, 431]).toContain(statusIn(answer));
      expect(answer).not.toContain("echo hi");
    }),
    { numRuns: rounds(150) },
  );
  const { result } = await call(serving.url, "SendMessage", say("echo hi"), {
    Authorization: `Bearer ${token}`,
  });
  expect(result.message.parts[0].text).toBe("hi");
});

it("queries of any text are refused", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const path = `POST /message:send?key=${encodeURIComponent(text.toWellFormed())}`;
      const headers = "Content-Type: application/json\r\nConnection: close\r\n";
      const answer = await exchangeBytes(serving.port, spell(path, body, headers), untilClosed);
      expect(statusIn(answer)).toBe(401);
    }),
    { numRuns: rounds(50) },
  );
});

it("metadata of any text are refused", async () => {
  const printable = fc.stringMatching(/^[ -~]{0,100}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("authorization", "x-key", "key", "cookie"),
      printable,
      async (name, text) => {
        expect(() => new Metadata().set(name, text)).not.toThrow();
        const answer = await grpc.call("1.0", "SendMessage", sayOverGrpc("echo hi"), {
          metadata: { [name]: text },
        });
        expect(answer.error?.code).toBe(status.UNAUTHENTICATED);
      },
    ),
    { numRuns: rounds(100) },
  );
});
