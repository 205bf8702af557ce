import type { AgentCard, SecurityScheme } from "@parley/a2a";
import type { Secrets, TokenSource } from "@parley/a2a/client";

/** The secrets that a caller has: from options, and from signing in. */
export interface OwnSecrets {
  readonly bearer?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Gives the token that `auth login` has kept for an agent; `undefined` when there is none. */
  readonly signedIn?: TokenSource | undefined;
}

/** The secrets by the names that the card gives its schemes: keys for API keys, tokens for all others. */
export function pickCredentials(card: AgentCard, own: OwnSecrets): Secrets {
  const entries = Object.entries(card.securitySchemes ?? {}).flatMap(([name, scheme]) => {
    const secret = secretFor(scheme, own);
    return secret === undefined ? [] : [[name, secret] as const];
  });
  return Object.fromEntries(entries);
}

function secretFor(
  scheme: SecurityScheme,
  { bearer, apiKey, signedIn }: OwnSecrets,
): string | TokenSource | undefined {
  if (scheme.apiKeySecurityScheme !== undefined) return apiKey;
  if (scheme.mtlsSecurityScheme !== undefined) return undefined;
  const isOAuth =
    scheme.oauth2SecurityScheme !== undefined || scheme.openIdConnectSecurityScheme !== undefined;
  return bearer ?? (isOAuth ? signedIn : undefined);
}

/** Whether secrets meet one of the alternatives that a card requires. A card without any is met by nothing. */
export function meetsCard(card: AgentCard, secrets: Secrets): boolean {
  const { securityRequirements = [], securitySchemes = {} } = card;
  const isMet = (name: string): boolean =>
    name in secrets || securitySchemes[name]?.mtlsSecurityScheme !== undefined;
  return (
    securityRequirements.length === 0 ||
    securityRequirements.some(({ schemes }) => Object.keys(schemes).every(isMet))
  );
}
