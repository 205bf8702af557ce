import { apiKey, createAuthenticator, openIdConnect } from "@parley/a2a/auth";
import type { Authenticator, Scheme, StoredKey } from "@parley/a2a/auth";
import { keyHeader, parseApiKey } from "../parse-security.js";
import type { ServeFlags } from "./flags.js";
import { refuse } from "./refuse.js";

/** Who may call a server. */
export interface Callers {
  /** Absent where anyone may call. */
  readonly auth?: Authenticator;
  /** Who that is, in words. */
  readonly description: string;
  /** The option of curl that authenticates with a key from the environment. */
  readonly curlOption?: string;
}

const openToAll = "no authentication; everyone who reaches this address counts as the same caller";

/** Who may call, as the options and the environment say: those with a key, those with a token, or anyone. */
export async function readCallers(
  { key: pairs, auth: issuer, audience }: Pick<ServeFlags, "key" | "auth" | "audience">,
  keyInEnvironment: string | undefined,
): Promise<Callers> {
  const ofEnvironment = await parseApiKey(keyInEnvironment);
  const keys = [...(ofEnvironment === undefined ? [] : [ofEnvironment]), ...pairs.map(parseKey)];
  if (issuer === undefined && audience.length > 0) throw refuse("--audience needs --auth");
  const schemes: Readonly<Record<string, Scheme>> = {
    ...(keys.length > 0 && { key: apiKey({ in: "header", name: keyHeader, keys }) }),
    ...(issuer !== undefined && { oidc: openId(issuer, audience) }),
  };
  if (Object.keys(schemes).length === 0) return { description: openToAll };
  const who = [
    ...(ofEnvironment === undefined ? [] : [`the key of PARLEY_API_KEY in ${keyHeader}`]),
    ...(pairs.length === 0 ? [] : [`a key in ${keyHeader}`]),
    ...(issuer === undefined ? [] : [`a token of ${issuer}`]),
  ];
  const variable = ofEnvironment === undefined ? "KEY" : "PARLEY_API_KEY";
  return {
    auth: createAuthenticator({ schemes }),
    description: `those who show ${who.join(", or ")}`,
    curlOption:
      keys.length > 0 ? `-H "${keyHeader}: $${variable}"` : '-H "Authorization: Bearer $TOKEN"',
  };
}

/** A key as `parley key` prints it for servers: its owner and its hash. */
function parseKey(pair: string, index: number): StoredKey {
  const [, subject, hash] = /^([^:]+):([\da-f]{64})$/i.exec(pair) ?? [];
  if (subject !== undefined && hash !== undefined) return { subject, hash };
  // It may be the key itself, which must not be shown.
  throw refuse(
    `--key, number ${index + 1}, must be NAME:HASH with the SHA-256 of the key in hex; run parley key to make one`,
  );
}

function openId(issuer: string, audience: readonly string[]): Scheme {
  if (audience.length === 0) {
    throw refuse("--auth needs --audience: what the tokens of this server name as their audience");
  }
  try {
    return openIdConnect({ issuer, audience });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw refuse(`--auth must be the URL of an OpenID provider: ${problem}`, cause);
  }
}
