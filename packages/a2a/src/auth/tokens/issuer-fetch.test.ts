import { describe, expect, it } from "vitest";
import { bearer } from "../../../test/support/auth/credentials.js";
import { audience, createTokenIssuer, issuer } from "../../../test/support/auth/token-issuer.js";
import { httpBearer } from "../schemes/http-bearer.js";
import { introspection } from "./introspection.js";
import type { Fetch } from "./issuer-fetch.js";
import { jwt } from "./jwt.js";

/** Answers with white space that never ends, and counts how much of it was wanted. */
function createEndless() {
  const sent = { bytes: 0 };
  const piece = new Uint8Array(64 * 1024).fill(0x20);
  const fetch: Fetch = async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          sent.bytes += piece.byteLength;
          if (sent.bytes > 64 * 1024 * 1024) controller.close();
          else controller.enqueue(piece.slice());
        },
      }),
      { headers: { "Content-Type": "application/json" } },
    );
  return { fetch, sent };
}

describe("an issuer whose answer never ends", () => {
  it.each([
    ["keys", (fetch: Fetch) => jwt({ issuer, audience, jwksUri: `${issuer}/keys`, fetch })],
    ["metadata", (fetch: Fetch) => jwt({ issuer, audience, fetch })],
    [
      "verdict",
      (fetch: Fetch) =>
        introspection({
          issuer,
          endpoint: `${issuer}/introspect`,
          clientId: "server",
          clientSecret: "secret",
          fetch,
        }),
    ],
  ])("does not fill the server's memory with %s", async (_, createVerifier) => {
    const { fetch, sent } = createEndless();
    const token = await (await createTokenIssuer()).sign({});
    const scheme = httpBearer({ verify: createVerifier(fetch) });
    await expect(scheme.check(bearer(token))).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(sent.bytes).toBeLessThan(4 * 1024 * 1024);
  });
});
