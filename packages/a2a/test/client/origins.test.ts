import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, SendOptions } from "@parley/a2a/client";
import { bareCard } from "./bare-card.js";

interface Site extends AsyncDisposable {
  readonly origin: string;
  /** The headers and the URL of each request that is not for a card. */
  readonly heard: string[];
}

/** A server with a card that says where its agent is, which answers with what it is given. */
async function openSite(
  agentUrl?: () => string,
  answer: { readonly status: number; readonly location?: string } = { status: 200 },
): Promise<Site> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    if (request.url?.includes("/.well-known/") === true) {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(cardAt(agentUrl?.() ?? origin)));
      return;
    }
    heard.push(JSON.stringify({ ...request.headers, url: request.url }));
    if (answer.location !== undefined) response.setHeader("Location", answer.location);
    const result = { message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] } };
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    heard,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const cardAt = (url: string): AgentCard =>
  bareCard(url, "JSONRPC", {
    securitySchemes: {
      key: { apiKeySecurityScheme: { location: "query", name: "key" } },
      token: { httpAuthSecurityScheme: { scheme: "Bearer" } },
    },
    securityRequirements: [{ schemes: { key: {}, token: {} } }],
  });

/** Every way in which a caller can give a secret. */
const ways: readonly (readonly [string, ConnectOptions, SendOptions])[] = [
  ["credentials", { credentials: { key: "hush", token: "hush" } }, {}],
  ["a header Authorization", { headers: { Authorization: "Bearer hush" } }, {}],
  ["a header of the caller's own", { headers: { "X-Api-Key": "hush" } }, {}],
  ["a header of one call", {}, { serviceParameters: { authorization: "Bearer hush" } }],
  ["a cookie of one call", {}, { serviceParameters: { Cookie: "session=hush" } }],
  [
    "what an interceptor adds",
    {
      interceptors: [
        {
          before: (outgoing) =>
            ({
              ...outgoing,
              call: { ...outgoing.call, serviceParameters: { Authorization: "Bearer hush" } },
            }) as typeof outgoing,
        },
      ],
    },
    {},
  ],
];

const call = async (url: string, options: ConnectOptions, send: SendOptions): Promise<string> => {
  const agent = await connect(url, options);
  return agent.text("hi", { ...send, returnImmediately: true });
};

describe.each(ways)("a secret given as %s", (_, options, send) => {
  it("goes to the origin of the card", async () => {
    await using site = await openSite();
    expect(await call(site.origin, options, send)).toBe("hi");
    expect(site.heard).toEqual([expect.stringContaining("hush")]);
  });

  it("does not go to another that the card names, unless the caller says so", async () => {
    await using stranger = await openSite();
    await using site = await openSite(() => stranger.origin);
    await expect(call(site.origin, options, send)).rejects.toThrowError(
      `the credentials are for ${site.origin} and are not sent to ${stranger.origin}`,
    );
    expect(stranger.heard).toEqual([]);
    const { origin: credentialsOrigin } = stranger;
    expect(await call(site.origin, { ...options, credentialsOrigin }, send)).toBe("hi");
    expect(stranger.heard).toEqual([expect.stringContaining("hush")]);
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect %i", async (status) => {
    await using stranger = await openSite();
    await using site = await openSite(undefined, { status, location: `${stranger.origin}/take` });
    await expect(call(site.origin, options, send)).rejects.toThrowError(
      `${site.origin} redirects to ${stranger.origin}/take; a request with credentials follows no redirects`,
    );
    expect(stranger.heard).toEqual([]);
  });
});

it("has nothing to hide from another origin when it was given nothing", async () => {
  await using stranger = await openSite();
  await using site = await openSite(() => stranger.origin);
  expect(await call(site.origin, {}, {})).toBe("hi");
  expect(stranger.heard).toHaveLength(1);
});
