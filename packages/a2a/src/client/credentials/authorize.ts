import { A2AError } from "../../protocol/internal.js";
import type { AgentCard, SecurityScheme } from "../../protocol/internal.js";
import { describeNeed } from "./describe-need.js";
import type { Secret, Secrets } from "./secret.js";

/** What authenticates a request. */
export interface Authorization {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** The tokens that came from token sources, by scheme. */
  readonly tokens: Readonly<Record<string, string>>;
}

export interface AuthorizeOptions {
  /** The only origin that receives the secrets. */
  readonly origin: string;
  /** The tokens, by scheme, that the agent has refused before. */
  readonly refused?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Authenticates by the first of the card's alternatives for which the caller has given all secrets. A card
 * that requires nothing receives nothing. Throws `UNAUTHENTICATED`, naming the alternatives.
 */
export async function authorize(
  card: AgentCard,
  secrets: Secrets,
  { origin, refused, signal }: AuthorizeOptions,
): Promise<Authorization> {
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const tokens: Record<string, string> = {};
  for (const [name, scopes] of Object.entries(chooseSchemes(card, secrets))) {
    const scheme = card.securitySchemes?.[name];
    const secret = secrets[name];
    // The connection presents certificates, not the request.
    if (scheme === undefined || secret === undefined || scheme.mtlsSecurityScheme) continue;
    if (typeof secret !== "function") {
      add(scheme, secret, { headers, query });
      continue;
    }
    const last = refused?.[name];
    const token = await secret({
      scheme,
      scopes,
      origin,
      ...(last !== undefined && { refused: last }),
      ...(signal !== undefined && { signal }),
    });
    tokens[name] = token;
    add(scheme, token, { headers, query });
  }
  return { headers, query, tokens };
}

type Scopes = Readonly<Record<string, readonly string[]>>;

function chooseSchemes(card: AgentCard, secrets: Secrets): Scopes {
  const { securitySchemes = {}, securityRequirements = [] } = card;
  const alternatives = securityRequirements.map(({ schemes }) =>
    Object.fromEntries(Object.entries(schemes).map(([one, scopes]) => [one, scopes.list ?? []])),
  );
  if (alternatives.length === 0) return {};
  const hasSecret = (one: string): boolean =>
    one in secrets || securitySchemes[one]?.mtlsSecurityScheme !== undefined;
  const chosen = alternatives.find((schemes) => Object.keys(schemes).every(hasSecret));
  if (chosen !== undefined) return chosen;
  throw new A2AError("UNAUTHENTICATED", describeNeed(card, secrets));
}

function add(
  scheme: SecurityScheme,
  secret: Exclude<Secret, (...args: never) => unknown>,
  { headers, query }: { headers: Record<string, string>; query: Record<string, string> },
): void {
  const { apiKeySecurityScheme: key, httpAuthSecurityScheme: http } = scheme;
  if (typeof secret !== "string") {
    const bytes = new TextEncoder().encode(`${secret.username}:${secret.password}`);
    headers["Authorization"] = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    return;
  }
  if (key === undefined) {
    headers["Authorization"] =
      `${http === undefined ? "Bearer" : capitalized(http.scheme)} ${secret}`;
    return;
  }
  if (key.location === "query") query[key.name] = secret;
  if (key.location === "header") headers[key.name] = secret;
  if (key.location === "cookie") {
    const cookie = `${key.name}=${encodeURIComponent(secret)}`;
    headers["Cookie"] =
      headers["Cookie"] === undefined ? cookie : `${headers["Cookie"]}; ${cookie}`;
  }
}

function capitalized(scheme: string): string {
  return scheme.slice(0, 1).toUpperCase() + scheme.slice(1);
}
