/**
 * OAuth 2.0 and OpenID Connect for callers: sources of tokens that sign in as the card describes, keep the
 * tokens, and refresh them before they expire. Web APIs only.
 */

// Get tokens
export { authorizationCode } from "./authorization-code.js";
export { clientCredentials } from "./client-credentials.js";
export { deviceCode } from "./device-code.js";
export type { TokenSource } from "../credentials/secret.js";

// Send a user to sign in, and take them back
export { pageRedirect } from "./page-redirect.js";
export type { CodeReceiver } from "./code-receiver.js";

// Keep tokens
export { createMemoryTokenStore } from "./token-store.js";
export type { StoredTokens, TokenStore } from "./token-store.js";
