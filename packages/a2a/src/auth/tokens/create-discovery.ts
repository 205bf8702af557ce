import {
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import type { AuthorizationServer } from "oauth4webapi";
import { httpsUrl, isLoopback } from "./https-url.js";
import { issuerUnavailable } from "./issuer-fetch.js";
import type { Fetch } from "./issuer-fetch.js";

export type { AuthorizationServer } from "oauth4webapi";

const timeoutMs = 5000;

/**
 * Creates a function that loads an issuer's metadata when they are first needed, and keeps them: by OpenID
 * Connect Discovery, or by RFC 8414 where the issuer has none. The function rejects with `UNAVAILABLE`,
 * also when the metadata name another issuer.
 */
export function createDiscovery(issuer: string, fetch: Fetch): () => Promise<AuthorizationServer> {
  const url = httpsUrl(issuer);
  let loading: Promise<AuthorizationServer> | undefined;
  return () => {
    loading ??= discover(url, fetch).catch((error: unknown) => {
      loading = undefined;
      throw issuerUnavailable(error);
    });
    return loading;
  };
}

async function discover(issuer: URL, fetch: Fetch): Promise<AuthorizationServer> {
  const request = (algorithm: "oidc" | "oauth2"): Promise<Response> =>
    discoveryRequest(issuer, {
      algorithm,
      signal: AbortSignal.timeout(timeoutMs),
      [customFetch]: (url, init) => fetch(url, { ...init, body: null }),
      [allowInsecureRequests]: isLoopback(issuer),
    });
  const first = await request("oidc");
  if (first.status !== 404) return processDiscoveryResponse(issuer, first);
  await first.body?.cancel();
  return processDiscoveryResponse(issuer, await request("oauth2"));
}
