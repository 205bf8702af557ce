import * as oauth from "oauth4webapi";
import type { TokenSource } from "../credentials/secret.js";
import type { CodeReceiver, PendingSignIn } from "./code-receiver.js";
import { checkEndpoint, requestOptions } from "./endpoint.js";
import type { OAuthOptions } from "./oauth-options.js";
import { createTokenSource } from "./token-source.js";
import type { FlowContext } from "./token-source.js";

export type AuthorizationCodeOptions = OAuthOptions & {
  /** `pageRedirect` in browsers, `loopbackRedirect` of `@parley/a2a/client/node` in programs. */
  readonly receiver: CodeReceiver;
};

/**
 * Signs a user in with their browser (RFC 6749, 4.1), always with PKCE (RFC 7636).
 *
 * @example
 * authorizationCode({ clientId: "notes", receiver: pageRedirect({ redirectUri }) });
 */
export function authorizationCode(options: AuthorizationCodeOptions): TokenSource {
  const { receiver } = options;
  return createTokenSource(options, {
    name: "authorizationCode",
    isSilent: false,
    async run(context) {
      const reception = await receiver(context.signal);
      try {
        const resumed = reception.resume?.(context.key);
        if (resumed !== undefined) return await exchange(context, resumed.pending, resumed.url);
        const pending = begin(context, reception.redirectUri);
        const url = await reception.receive(await authorizationUrl(context, pending), pending);
        return await exchange(context, pending, url);
      } finally {
        await reception.close?.();
      }
    },
  });
}

function begin({ key, parameters, isNamed }: FlowContext, redirectUri: string): PendingSignIn {
  const isOpenId = isNamed && parameters.get("scope")?.split(" ").includes("openid") === true;
  return {
    key,
    state: oauth.generateRandomState(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    redirectUri,
    ...(isOpenId && { nonce: oauth.generateRandomNonce() }),
  };
}

async function authorizationUrl(
  { server, client, parameters }: FlowContext,
  { state, codeVerifier, redirectUri, nonce }: PendingSignIn,
): Promise<URL> {
  const url = new URL(checkEndpoint(server.authorization_endpoint, "authorization endpoint"));
  for (const [name, value] of parameters) url.searchParams.set(name, value);
  const own = {
    client_id: client.client_id,
    response_type: "code",
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    ...(nonce !== undefined && { nonce }),
  };
  for (const [name, value] of Object.entries(own)) url.searchParams.set(name, value);
  return url;
}

async function exchange(
  context: FlowContext,
  { state, codeVerifier, redirectUri, nonce }: PendingSignIn,
  url: string,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication, parameters, fetch, signal } = context;
  const answer = new URL(url);
  if (!context.isNamed) answer.searchParams.delete("iss");
  const callback = oauth.validateAuthResponse(server, client, answer, state);
  const { scope: _, ...additional } = Object.fromEntries(parameters);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    callback,
    redirectUri,
    codeVerifier,
    { ...requestOptions(fetch, signal), additionalParameters: additional },
  );
  return oauth.processAuthorizationCodeResponse(server, client, await context.readable(response), {
    expectedNonce: nonce ?? oauth.expectNoNonce,
  });
}
