import type { AgentCard, SecurityScheme } from "@parley/a2a";
import type { Secrets, TokenSource } from "@parley/a2a/client";
import type { ClientCertificate } from "./client-certificate.js";

/** The secrets that a caller has: from options, and from signing in. */
export interface OwnSecrets {
  readonly bearer?: string | undefined;
  readonly apiKey?: string | undefined;
  /** Gives the token that `auth login` has kept for an agent; `undefined` when there is none. */
  readonly signedIn?: TokenSource | undefined;
  readonly certificate?: ClientCertificate | undefined;
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

/** Whether a caller meets one of the alternatives that a card requires. A card without any is met by nothing. */
export function meetsCard(card: AgentCard, own: OwnSecrets): boolean {
  const { securityRequirements = [], securitySchemes = {} } = card;
  const secrets = pickCredentials(card, own);
  const isMet = (name: string): boolean =>
    securitySchemes[name]?.mtlsSecurityScheme === undefined
      ? name in secrets
      : own.certificate !== undefined;
  return (
    securityRequirements.length === 0 ||
    securityRequirements.some(({ schemes }) => Object.keys(schemes).every(isMet))
  );
}
