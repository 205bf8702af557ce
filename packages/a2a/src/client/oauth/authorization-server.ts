import { processDiscoveryResponse } from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { A2AError } from "../../protocol/internal.js";
import type { OAuthFlowsByName, SecurityScheme } from "../../protocol/internal.js";
import { parseUrl } from "../../protocol/parse/internal.js";
import type { Fetch } from "../../http/internal.js";
import type { Clock } from "../../async/internal.js";
import { checkEndpoint, fetchEndpoint } from "./endpoint.js";

export type FlowName = Extract<
  keyof OAuthFlowsByName,
  "clientCredentials" | "deviceCode" | "authorizationCode"
>;

export interface FoundServer {
  readonly server: AuthorizationServer;
  /** The URL for refreshing tokens; the token endpoint when absent. */
  readonly refreshUrl?: string;
  /** Whether metadata name the issuer. Endpoints that come from the card have no known issuer. */
  readonly isNamed: boolean;
}

export interface FindServerOptions {
  readonly issuer: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

export type FindServer = (
  scheme: SecurityScheme,
  flow: FlowName,
  signal: AbortSignal,
) => Promise<FoundServer>;

const metadataLifetimeMs = 10 * 60_000;

/** A name for the authorization server that the card alone gives, before anything is fetched. */
export function nameServer(
  { openIdConnectSecurityScheme: openId, oauth2SecurityScheme: oauth2 }: SecurityScheme,
  flow: FlowName,
): string {
  const urls = [openId?.openIdConnectUrl, oauth2?.oauth2MetadataUrl, oauth2?.flows[flow]?.tokenUrl];
  return urls.find((url) => url !== undefined) ?? "";
}

/**
 * Finds the endpoints of an authorization server: those of the issuer that the caller names, else those that
 * the card names. For an issuer that publishes no metadata, the card's endpoints are used if they are at the
 * issuer's origin.
 */
export function createServerFinder({ issuer, fetch, clock }: FindServerOptions): FindServer {
  const known = new Map<string, { readonly server: AuthorizationServer; readonly at: number }>();

  async function discover(
    url: string,
    signal: AbortSignal,
  ): Promise<AuthorizationServer | undefined> {
    const cached = known.get(url);
    if (cached !== undefined && clock.now() - cached.at < metadataLifetimeMs) return cached.server;
    for (const { address, issuer: expected } of candidatesOf(url)) {
      const headers = { Accept: "application/json" };
      const response = await fetchEndpoint(fetch, checkEndpoint(address, "metadata"), {
        headers,
        signal,
      });
      if (response.status >= 400) {
        await response.body?.cancel();
        continue;
      }
      const server = await processDiscoveryResponse(expected, response);
      known.set(url, { server, at: clock.now() });
      return server;
    }
    return undefined;
  }

  return async (scheme, flow, signal) => {
    const { openIdConnectSecurityScheme: openId, oauth2SecurityScheme: oauth2 } = scheme;
    const listed = oauth2?.flows[flow];
    const fromCard = listed === undefined ? {} : endpointsOf(listed);
    const url = issuer ?? openId?.openIdConnectUrl ?? oauth2?.oauth2MetadataUrl;
    const server = url === undefined ? undefined : await discover(url, signal);
    if (server !== undefined) return { server, isNamed: true };
    const { token_endpoint: tokenUrl } = fromCard;
    if (tokenUrl === undefined) {
      const message =
        url === undefined
          ? `the card describes no OAuth 2.0 flow ${flow}; name the issuer of the tokens`
          : `${url} publishes no metadata`;
      throw new A2AError("UNAUTHENTICATED", message);
    }
    const strangers = Object.values(fromCard).filter((one) => !isOfOrigin(one, issuer));
    if (strangers.length > 0) {
      const message = `${issuer} publishes no metadata, and the card names ${strangers.join(", ")}`;
      throw new A2AError("UNAUTHENTICATED", `${message}, which is at another origin`);
    }
    const refreshUrl = listed?.refreshUrl;
    return {
      server: {
        issuer: issuer ?? new URL(checkEndpoint(tokenUrl, "token URL")).origin,
        ...fromCard,
      },
      isNamed: false,
      ...(refreshUrl !== undefined && isOfOrigin(refreshUrl, tokenUrl) && { refreshUrl }),
    };
  };
}

function isOfOrigin(url: string, other: string | undefined): boolean {
  return other === undefined || parseUrl(url)?.origin === new URL(other).origin;
}

type Endpoints = Readonly<
  Partial<
    Record<"token_endpoint" | "authorization_endpoint" | "device_authorization_endpoint", string>
  >
>;

function endpointsOf(flow: OAuthFlowsByName[FlowName]): Endpoints {
  return {
    token_endpoint: flow.tokenUrl,
    ...("authorizationUrl" in flow && { authorization_endpoint: flow.authorizationUrl }),
    ...("deviceAuthorizationUrl" in flow && {
      device_authorization_endpoint: flow.deviceAuthorizationUrl,
    }),
  };
}

interface Candidate {
  readonly address: string;
  readonly issuer: URL;
}

const openIdPath = "/.well-known/openid-configuration";
const oauthPath = "/.well-known/oauth-authorization-server";

/**
 * The URLs at which a server's metadata may be: the URL itself if it is a URL of metadata, else the URLs
 * that OpenID Connect Discovery and RFC 8414 derive from the issuer. The metadata must name the expected
 * issuer.
 */
function candidatesOf(text: string): readonly Candidate[] {
  const url = parseUrl(text);
  if (url === undefined) {
    throw new A2AError("UNAUTHENTICATED", `${JSON.stringify(text)} is not the URL of an issuer`);
  }
  const { origin, pathname } = url;
  for (const wellKnown of [openIdPath, oauthPath]) {
    const at = pathname.indexOf(wellKnown);
    if (at === -1) continue;
    const path = pathname.slice(0, at) + pathname.slice(at + wellKnown.length);
    return [{ address: text, issuer: new URL(`${origin}${path}`) }];
  }
  const issuer = new URL(`${origin}${pathname}`);
  const path = pathname.replace(/\/$/, "");
  return [
    { address: `${origin}${path}${openIdPath}`, issuer },
    { address: `${origin}${oauthPath}${path}`, issuer },
  ];
}
