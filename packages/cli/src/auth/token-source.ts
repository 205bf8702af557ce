import { createFileTokenStore } from "@parley/a2a/client/node";
import { clientCredentials, deviceCode } from "@parley/a2a/client/oauth";
import type { Fetch, TokenSource } from "@parley/a2a/client";
import { tokensPath } from "./logins.js";
import type { Login } from "./logins.js";

type OnCode = Parameters<typeof deviceCode>[0]["onCode"];

export interface TokenSourceOptions {
  readonly configFolder: string;
  readonly clientSecret?: string | undefined;
  readonly fetch?: Fetch | undefined;
  /** Shows the user where to sign in. */
  readonly onCode: OnCode;
}

/** A source of tokens for a sign-in, which keeps them in a file and refreshes them. */
export function tokenSourceFor(login: Login, options: TokenSourceOptions): TokenSource {
  const { clientId, issuer, scopes } = login;
  const { clientSecret, fetch, onCode, configFolder } = options;
  const store = createFileTokenStore(tokensPath(configFolder));
  const common = { clientId, scopes, store, ...(fetch !== undefined && { fetch }) };
  if (login.flow === "clientCredentials" && issuer !== undefined) {
    const secret = clientSecret === undefined ? {} : { clientSecret };
    return clientCredentials({ ...common, issuer, ...secret });
  }
  return deviceCode({ ...common, onCode, ...(issuer !== undefined && { issuer }) });
}
