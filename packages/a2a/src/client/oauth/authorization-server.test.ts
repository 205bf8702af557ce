import { describe, expect, it } from "vitest";
import type { SecurityScheme } from "../../protocol/internal.js";
import { foregroundClock } from "../../async/internal.js";
import { createServerFinder } from "./authorization-server.js";
import type { FlowName } from "./authorization-server.js";

const signal = new AbortController().signal;

/** A web with a few documents in it. */
function webOf(documents: Readonly<Record<string, object>>) {
  const visited: string[] = [];
  return {
    visited,
    find(scheme: SecurityScheme, flow: FlowName, issuer?: string) {
      const fetch = async (url: string): Promise<Response> => {
        visited.push(url);
        const document = documents[url];
        return document === undefined
          ? new Response("not here", { status: 404 })
          : Response.json(document);
      };
      return createServerFinder({ issuer, fetch, clock: foregroundClock })(scheme, flow, signal);
    },
  };
}

const openId = (url: string): SecurityScheme => ({
  openIdConnectSecurityScheme: { openIdConnectUrl: url },
});

const metadataOf = (issuer: string) => ({ issuer, token_endpoint: `${issuer}/token` });

const flows = (host: string): SecurityScheme => ({
  oauth2SecurityScheme: {
    flows: {
      clientCredentials: { tokenUrl: `${host}/token`, refreshUrl: `${host}/refresh`, scopes: {} },
    },
  },
});

describe("finds the metadata of an authorization server", () => {
  it.each([
    [
      "https://id.example/.well-known/openid-configuration",
      "https://id.example",
      ["https://id.example/.well-known/openid-configuration"],
    ],
    [
      "https://id.example/acme",
      "https://id.example/acme",
      ["https://id.example/acme/.well-known/openid-configuration"],
    ],
    [
      "https://id.example/.well-known/oauth-authorization-server/acme",
      "https://id.example/acme",
      ["https://id.example/.well-known/oauth-authorization-server/acme"],
    ],
  ])("of %s", async (url, issuer, visited) => {
    const web = webOf({ [visited[0] ?? ""]: metadataOf(issuer) });
    const { server, isNamed } = await web.find(openId(url), "deviceCode");
    expect(server.token_endpoint).toBe(`${issuer}/token`);
    expect(isNamed).toBe(true);
    expect(web.visited).toEqual(visited);
  });

  it("by RFC 8414 where there is nothing of OpenID Connect", async () => {
    const url = "https://id.example/.well-known/oauth-authorization-server/acme";
    const web = webOf({ [url]: metadataOf("https://id.example/acme") });
    await web.find(
      { httpAuthSecurityScheme: { scheme: "bearer" } },
      "clientCredentials",
      "https://id.example/acme",
    );
    expect(web.visited).toEqual(["https://id.example/acme/.well-known/openid-configuration", url]);
  });

  it("and does not believe one that says it is another", async () => {
    const url = "https://id.example/.well-known/openid-configuration";
    const web = webOf({ [url]: metadataOf("https://evil.example") });
    await expect(web.find(openId(url), "deviceCode")).rejects.toThrowError(/issuer/);
  });

  it("and asks for it over TLS only, but for this machine", async () => {
    const url = "http://id.example/.well-known/openid-configuration";
    await expect(webOf({}).find(openId(url), "deviceCode")).rejects.toThrowError(
      `the metadata "${url}" is not an https URL`,
    );
  });
});

describe("takes the card's endpoints", () => {
  it("where nobody names an issuer", async () => {
    const found = await webOf({}).find(flows("https://id.example"), "clientCredentials");
    expect(found).toMatchObject({
      server: { token_endpoint: "https://id.example/token" },
      refreshUrl: "https://id.example/refresh",
      isNamed: false,
    });
  });

  it("of an issuer without metadata, if they are at its origin", async () => {
    const web = webOf({});
    const scheme = flows("https://id.example");
    const { server } = await web.find(scheme, "clientCredentials", "https://id.example");
    expect(server.token_endpoint).toBe("https://id.example/token");
    await expect(
      web.find(flows("https://evil.example"), "clientCredentials", "https://id.example"),
    ).rejects.toThrowError(
      "https://id.example publishes no metadata, and the card names https://evil.example/token, " +
        "which is at another origin",
    );
  });

  it("for none of an issuer that has metadata", async () => {
    const url = "https://id.example/.well-known/openid-configuration";
    const web = webOf({ [url]: metadataOf("https://id.example") });
    const scheme = flows("https://evil.example");
    const { server } = await web.find(scheme, "clientCredentials", "https://id.example");
    expect(server.token_endpoint).toBe("https://id.example/token");
  });

  it("and does not refresh at another origin", async () => {
    const scheme: SecurityScheme = {
      oauth2SecurityScheme: {
        flows: {
          clientCredentials: {
            tokenUrl: "https://id.example/token",
            refreshUrl: "https://evil.example/refresh",
            scopes: {},
          },
        },
      },
    };
    const found = await webOf({}).find(scheme, "clientCredentials");
    expect(found.refreshUrl).toBeUndefined();
  });

  it("and says what is missing", async () => {
    await expect(webOf({}).find(flows("https://id.example"), "deviceCode")).rejects.toThrowError(
      "the card describes no OAuth 2.0 flow deviceCode; name the issuer of the tokens",
    );
    await expect(webOf({}).find(openId("https://id.example"), "deviceCode")).rejects.toThrowError(
      "https://id.example publishes no metadata",
    );
  });
});
