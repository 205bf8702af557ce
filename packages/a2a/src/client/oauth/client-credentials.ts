import * as oauth from "oauth4webapi";
import type { TokenSource } from "../credentials/secret.js";
import { requestOptions } from "./endpoint.js";
import type { OAuthOptions } from "./oauth-options.js";
import { createTokenSource } from "./token-source.js";

/** A program has a secret, and so has to name the issuer that the secret is for. */
export type ClientCredentialsOptions = OAuthOptions & { readonly issuer: string };

/**
 * Signs in as a program, with no user (RFC 6749, 4.4).
 *
 * @example
 * const tokens = clientCredentials({ issuer, clientId: "reports", clientSecret });
 * const agent = await connect(url, { credentials: { oauth: tokens } });
 */
export function clientCredentials(options: ClientCredentialsOptions): TokenSource {
  return createTokenSource(options, {
    name: "clientCredentials",
    isSilent: true,
    async run({ server, client, authentication, parameters, fetch, signal, readable }) {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authentication,
        parameters,
        requestOptions(fetch, signal),
      );
      return oauth.processClientCredentialsResponse(server, client, await readable(response));
    },
  });
}
