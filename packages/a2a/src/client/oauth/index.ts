/**
 * OAuth 2.0 and OpenID Connect for callers: token sources that sign in as the card describes, keep the
 * tokens, and refresh them before they expire. Uses web APIs only; what needs a socket or files is in
 * `client/node`.
 */
export { authorizationCode } from "./authorization-code.js";
export type { AuthorizationCodeOptions } from "./authorization-code.js";
export { clientCredentials } from "./client-credentials.js";
export type { ClientCredentialsOptions } from "./client-credentials.js";
export type { CodeReceiver, PendingSignIn, Reception } from "./code-receiver.js";
export { deviceCode } from "./device-code.js";
export type { DeviceCodeOptions, DeviceCodePrompt } from "./device-code.js";
export type {
  AuthenticateClient,
  OAuthIdentity,
  OAuthOptions,
  OAuthSettings,
} from "./oauth-options.js";
export { pageRedirect } from "./page-redirect.js";
export type { PageRedirectOptions } from "./page-redirect.js";
export { createMemoryTokenStore } from "./token-store.js";
export type { StoredTokens, TokenStore } from "./token-store.js";
