import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  introspectionRequest,
  processIntrospectionResponse,
} from "oauth4webapi";
import type { AuthorizationServer, IntrospectionResponse } from "oauth4webapi";
import { A2AError } from "../../protocol/internal.js";
import { claimsOf, scopesOf } from "./claims.js";
import { createDiscovery } from "./create-discovery.js";
import { ExpiringCache } from "./expiring-cache.js";
import { httpsUrl, isLoopback } from "./https-url.js";
import { createIssuerFetch, issuerUnavailable } from "./issuer-fetch.js";
import type { Fetch, Outside } from "./issuer-fetch.js";
import { hashKey } from "./key-table.js";
import { invalid, known } from "../scheme.js";
import type { TokenVerifier, Verdict } from "../scheme.js";

export interface IntrospectionOptions extends Outside {
  readonly issuer: string;
  /** The URL for introspection; taken from the issuer's metadata when absent. */
  readonly endpoint?: string;
  /** The client id by which this server authenticates to the issuer. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** How the secret is sent: in `Authorization: Basic` when absent, or in the body. */
  readonly clientAuthentication?: "basic" | "post";
  /** The audience that tokens must have; not checked when absent, since not every issuer reports it. */
  readonly audience?: string | readonly string[];
  /** The claims that agents receive; none when absent. */
  readonly claims?: readonly string[];
  /** How long a valid token is cached, and so how long a revoked token is still accepted; 30 s when absent. */
  readonly cacheMs?: number;
  /** How long an invalid token is cached; 5 s when absent. */
  readonly negativeCacheMs?: number;
  /** How many verdicts are cached; 10,000 when absent. */
  readonly cacheSize?: number;
}

const timeoutMs = 5000;
const maxTokenLength = 8192;
/** Limits concurrent requests to the issuer, since anyone can make up tokens. */
const maxAsking = 100;

/** Verifies tokens by asking their issuer (RFC 7662), and caches the answers. */
export function introspection(options: IntrospectionOptions): TokenVerifier {
  const { cacheMs = 30_000, negativeCacheMs = 5000, now = Date.now } = options;
  const answers = new ExpiringCache<Verdict>(options.cacheSize ?? 10_000, now);
  const asking = new Map<string, Promise<Verdict>>();
  const ask = createAsker(options);

  async function askAndKeep(token: string, key: string): Promise<Verdict> {
    const response = await ask(token);
    const verdict = verdictOn(response, options, now() / 1000);
    const until =
      verdict.kind === "known"
        ? Math.min(now() + cacheMs, (response.exp ?? Number.POSITIVE_INFINITY) * 1000)
        : now() + negativeCacheMs;
    answers.set(key, verdict, until);
    return verdict;
  }

  return async (token) => {
    if (token.length > maxTokenLength) return invalid("too long");
    // The cache holds hashes, never tokens.
    const key = await hashKey(token);
    const kept = answers.get(key);
    if (kept !== undefined) return kept;
    if (asking.size >= maxAsking && !asking.has(key)) throw tooManyQuestions();
    const underWay = asking.get(key) ?? askAndKeep(token, key);
    asking.set(key, underWay);
    try {
      return await underWay;
    } catch (error) {
      throw issuerUnavailable(error);
    } finally {
      asking.delete(key);
    }
  };
}

function tooManyQuestions(): A2AError {
  const details = { retryAfterSeconds: 1 };
  return new A2AError("RESOURCE_EXHAUSTED", "too many tokens are being verified; try again later", {
    details,
  });
}

function createAsker(options: IntrospectionOptions) {
  const { issuer, endpoint, clientId, clientSecret } = options;
  const fetch = createIssuerFetch(options);
  const client = { client_id: clientId };
  const authentication =
    options.clientAuthentication === "post"
      ? ClientSecretPost(clientSecret)
      : ClientSecretBasic(clientSecret);
  const find = serverOf(issuer, endpoint, fetch);
  return async (token: string): Promise<IntrospectionResponse> => {
    const server = await find();
    const url = httpsUrl(server.introspection_endpoint ?? "");
    const response = await introspectionRequest(server, client, authentication, token, {
      signal: AbortSignal.timeout(timeoutMs),
      [customFetch]: fetch,
      [allowInsecureRequests]: isLoopback(url),
    });
    return processIntrospectionResponse(server, client, response);
  };
}

function serverOf(
  issuer: string,
  endpoint: string | undefined,
  fetch: Fetch,
): () => Promise<AuthorizationServer> {
  if (endpoint === undefined) return createDiscovery(issuer, fetch);
  const server = { issuer, introspection_endpoint: httpsUrl(endpoint).href };
  return () => Promise.resolve(server);
}

function verdictOn(
  response: IntrospectionResponse,
  { issuer, audience, claims = [] }: IntrospectionOptions,
  nowSeconds: number,
): Verdict {
  const { active, exp, nbf, iat, iss, cnf, sub, client_id: client } = response;
  if (!active) return invalid("not active");
  if (exp !== undefined && exp <= nowSeconds) return invalid("expired");
  if (nbf !== undefined && nbf > nowSeconds + 30) return invalid("not yet valid");
  if (iat !== undefined && iat > nowSeconds + 30) return invalid("issued in the future");
  if (iss !== undefined && iss !== issuer) return invalid("another issuer");
  if (audience !== undefined && !isFor(response.aud, audience)) return invalid("another audience");
  if (cnf !== undefined) return invalid("bound to a key");
  const subject = sub ?? client;
  if (subject === undefined || subject === "") return invalid("no subject");
  const selected = claimsOf(response, claims);
  return known({
    issuer,
    subject,
    scopes: scopesOf(response),
    ...(selected !== undefined && { claims: selected }),
  });
}

function isFor(given: IntrospectionResponse["aud"], wanted: string | readonly string[]): boolean {
  const audiences = typeof given === "string" ? [given] : (given ?? []);
  return [wanted].flat().some((one) => audiences.includes(one));
}
