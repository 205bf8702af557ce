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
  /** Found in the issuer's discovery document when absent. */
  readonly endpoint?: string;
  /** As whom this server asks. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the secret is sent; in `Authorization: Basic` when absent. */
  readonly clientAuthentication?: "basic" | "post";
  /** What tokens have to be made for; not asked when absent, as not every issuer tells. */
  readonly audience?: string | readonly string[];
  /** Claims that agents get to see; none when absent. */
  readonly claims?: readonly string[];
  /** How long an answer is believed, and so how long a revoked token goes on; 30 s when absent. */
  readonly cacheMs?: number;
  /** How long it is believed that a token is not valid; 5 s when absent. */
  readonly negativeCacheMs?: number;
  /** How many answers are kept; 10,000 when absent. */
  readonly cacheSize?: number;
}

const timeoutMs = 5000;
const maxTokenLength = 8192;
/** Tokens that anyone can make up are no reason to flood an issuer. */
const maxAsking = 100;

/** Asks the issuer about each token (RFC 7662), and remembers for a while what it said. */
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
    // Tokens themselves are not kept.
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
  return new A2AError("RESOURCE_EXHAUSTED", "too many tokens to ask about", { details });
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
  const { active, exp, nbf, iss, cnf, sub, client_id: client } = response;
  if (!active) return invalid("not active");
  if (exp !== undefined && exp <= nowSeconds) return invalid("expired");
  if (nbf !== undefined && nbf > nowSeconds + 30) return invalid("not yet valid");
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
