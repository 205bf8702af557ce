import type { SchemeChallenge } from "../scheme.js";

/** The error that a challenge reports to the caller (RFC 6750, 3.1). */
export type ChallengeError = "invalid_token" | "insufficient_scope";

interface ChallengeContext {
  readonly realm: string;
  /** The scopes that the request needs. */
  readonly scopes: readonly string[];
  readonly error: ChallengeError | undefined;
}

/** A value of `WWW-Authenticate`. Only Bearer has parameters for scopes and errors. */
export function formatChallenge(
  { scheme, parameters = {} }: SchemeChallenge,
  { realm, scopes, error }: ChallengeContext,
): string {
  const all: Record<string, string> = { realm, ...parameters };
  if (scheme === "Bearer") {
    if (error !== undefined) all["error"] = error;
    if (scopes.length > 0) all["scope"] = scopes.join(" ");
  }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${quote(value)}`);
  const challenge = `${scheme} ${pairs.join(", ")}`;
  if (/^[ -~]+$/.test(challenge)) return challenge;
  throw new Error(
    `${JSON.stringify(challenge)} cannot be a header: realm and parameters may contain ASCII only`,
  );
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}
