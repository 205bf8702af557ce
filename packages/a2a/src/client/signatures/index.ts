/**
 * Verifies the signatures of cards, with the caller's own keys or with key sets of hosts that the caller
 * trusts. A separate entry, so that other clients do not load the cryptography.
 */
export { createCardVerifier } from "./create-card-verifier.js";
export type { CardVerifierOptions } from "./create-card-verifier.js";
