import * as oauth from "oauth4webapi";
import { A2AError } from "../../protocol/internal.js";
import type { Fetch } from "../../http/internal.js";
import type { TokenRequest, TokenSource } from "../credentials/secret.js";
import { foregroundClock } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { createServerFinder, nameServer } from "./authorization-server.js";
import type { FlowName, FoundServer } from "./authorization-server.js";
import { checkEndpoint, requestOptions } from "./endpoint.js";
import type { OAuthOptions } from "./oauth-options.js";
import { SharedWork } from "./shared-work.js";
import { createMemoryTokenStore } from "./token-store.js";
import type { StoredTokens } from "./token-store.js";

/** What a flow needs to obtain a token. */
export interface FlowContext {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  /** The scope, if there is any, and the caller's parameters. */
  readonly parameters: URLSearchParams;
  /** Whether metadata name the issuer, so that answers can be checked against it. */
  readonly isNamed: boolean;
  /** The key under which the tokens will be stored. */
  readonly key: string;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Prepares a response of the token endpoint for `oauth4webapi`. */
  readonly readable: (response: Response) => Promise<Response>;
}

/** A way to obtain the first token. */
export interface Flow {
  readonly name: FlowName;
  /** Whether the flow needs no user. */
  readonly isSilent: boolean;
  readonly run: (context: FlowContext) => Promise<oauth.TokenEndpointResponse>;
}

const newForMs = 30_000;

/**
 * Creates a source of tokens that are stored, refreshed, or obtained by the flow. Requests at the same time
 * share the work, since a refresh token can be used once and a user wants to sign in once.
 */
export function createTokenSource(options: OAuthOptions, flow: Flow): TokenSource {
  const { clientId, clientSecret, authenticateClient, issuer } = options;
  const isSecret = clientSecret !== undefined || authenticateClient !== undefined;
  if (isSecret && issuer === undefined) {
    const message = "a client with a secret has to name the issuer that the secret is for";
    throw new A2AError("INVALID_PARAMS", message);
  }
  const { clock = foregroundClock, store = createMemoryTokenStore() } = options;
  const { renewBeforeMs = 60_000 } = options;
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const findServer = createServerFinder({ issuer, fetch, clock });
  const work = new SharedWork<string>();

  const isAlive = ({ accessToken, expiresAt }: StoredTokens, refused?: string): boolean =>
    accessToken !== refused && (expiresAt === undefined || clock.now() < expiresAt);

  const isFresh = (tokens: StoredTokens, refused?: string): boolean => {
    const { expiresAt, obtainedAt, refreshToken } = tokens;
    if (!isAlive(tokens, refused)) return false;
    if (expiresAt === undefined || (refreshToken === undefined && !flow.isSilent)) return true;
    return clock.now() < expiresAt - Math.min(renewBeforeMs, (expiresAt - obtainedAt) / 2);
  };

  /** Whether the agent refused the token so soon that signing in again would not help. */
  const isNew = (tokens: StoredTokens | undefined, refused?: string): boolean =>
    tokens !== undefined &&
    tokens.accessToken === refused &&
    clock.now() - tokens.obtainedAt < newForMs;

  async function keep(key: string, response: oauth.TokenEndpointResponse, refreshToken?: string) {
    const now = clock.now();
    const { expires_in: seconds, refresh_token: newer = refreshToken } = response;
    const tokens: StoredTokens = {
      accessToken: response.access_token,
      obtainedAt: now,
      ...(seconds !== undefined && { expiresAt: now + seconds * 1000 }),
      ...(newer !== undefined && { refreshToken: newer }),
    };
    await store.save(key, tokens);
    return tokens;
  }

  /** Refreshes the tokens; `undefined` when there is no valid refresh token. */
  async function refresh(
    context: FlowContext,
    { refreshUrl }: FoundServer,
    refused: string | undefined,
  ): Promise<StoredTokens | undefined> {
    // Another process may have refreshed them meanwhile.
    const tokens = await store.load(context.key);
    if (tokens !== undefined && isFresh(tokens, refused)) return tokens;
    const refreshToken = tokens?.refreshToken;
    if (refreshToken === undefined) return undefined;
    const { client, authentication, key, readable } = context;
    const server = {
      ...context.server,
      ...(refreshUrl !== undefined && { token_endpoint: refreshUrl }),
    };
    checkEndpoint(server.token_endpoint, "token endpoint");
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        refreshToken,
        {
          ...requestOptions(fetch, context.signal),
          additionalParameters: { ...options.parameters },
        },
      );
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await readable(response),
      );
      return await keep(key, refreshed, refreshToken);
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError) || error.error !== "invalid_grant")
        throw error;
      await store.delete(key);
      return undefined;
    }
  }

  async function obtain(key: string, request: TokenRequest, signal: AbortSignal): Promise<string> {
    const { refused } = request;
    const found = await findServer(request.scheme, flow.name, signal);
    const { server, isNamed } = found;
    const context: FlowContext = {
      server,
      isNamed,
      client: { client_id: clientId },
      authentication: authenticateClient ?? authenticationOf(server, clientSecret),
      parameters: parametersOf(request, options, isNamed),
      key,
      fetch,
      clock,
      signal,
      readable: (response) => (isNamed ? Promise.resolve(response) : withoutIdToken(response)),
    };
    const renew = (): Promise<StoredTokens | undefined> => refresh(context, found, refused);
    const renewed = await (store.exclusive?.(key, renew) ?? renew());
    if (renewed !== undefined) return renewed.accessToken;
    if (!flow.isSilent && isNew(await store.load(key), refused)) {
      const message = `${request.origin} refuses a token for which the user has just signed in`;
      throw new A2AError("UNAUTHENTICATED", message);
    }
    checkEndpoint(server.token_endpoint, "token endpoint");
    return (await keep(key, await flow.run(context))).accessToken;
  }

  return async (request) => {
    const key = keyOf(request, options, flow.name);
    const tokens = await store.load(key);
    if (tokens !== undefined && isFresh(tokens, request.refused)) return tokens.accessToken;
    try {
      return await work.do(key, (signal) => obtain(key, request, signal), request.signal);
    } catch (error) {
      request.signal?.throwIfAborted();
      // The renewal was early; the token is still valid.
      if (tokens !== undefined && isAlive(tokens, request.refused)) return tokens.accessToken;
      throw signInFailure(error, issuer ?? nameServer(request.scheme, flow.name));
    }
  };
}

function keyOf(
  { origin, scheme, scopes }: TokenRequest,
  { clientId, issuer, scopes: further = [], parameters = {} }: OAuthOptions,
  flow: FlowName,
): string {
  const asked = [...new Set([...scopes, ...further])].toSorted();
  const server = issuer ?? nameServer(scheme, flow);
  return JSON.stringify([origin, server, clientId, flow, asked, parameters]);
}

function parametersOf(
  { scopes, scheme }: TokenRequest,
  { scopes: further = [], parameters }: OAuthOptions,
  isNamed: boolean,
): URLSearchParams {
  const isOpenId = isNamed && scheme.openIdConnectSecurityScheme !== undefined;
  const asked = new Set([...(isOpenId ? ["openid"] : []), ...scopes, ...further]);
  const all = new URLSearchParams(parameters);
  if (asked.size > 0) all.set("scope", [...asked].join(" "));
  return all;
}

function authenticationOf(
  {
    token_endpoint_auth_methods_supported: methods = ["client_secret_basic"],
  }: oauth.AuthorizationServer,
  secret: string | undefined,
): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const isPosted =
    methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isPosted ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** Removes the identity token, which cannot be verified when the issuer is unknown, and which nothing needs. */
async function withoutIdToken(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const { status, headers } = response;
  const body: unknown = await response.json().catch(() => undefined);
  if (typeof body !== "object" || body === null) return new Response("", { status, headers });
  const { id_token: _, ...rest } = body as Record<string, unknown>;
  return new Response(JSON.stringify(rest), { status, headers });
}

function signInFailure(error: unknown, server: string): unknown {
  if (A2AError.is(error)) return error;
  if (
    error instanceof oauth.ResponseBodyError ||
    error instanceof oauth.AuthorizationResponseError
  ) {
    const { error: code, error_description: reason } = error;
    const said = reason === undefined ? code : `${code}: ${reason}`;
    return new A2AError("UNAUTHENTICATED", `${server} gives no token: ${said}`, { cause: error });
  }
  if (!(error instanceof Error)) return error;
  return new A2AError("UNAUTHENTICATED", `signing in at ${server} failed: ${error.message}`, {
    cause: error,
  });
}
