/**
 * Verifying the signatures of cards: with keys that the caller has, or from key sets at hosts that it
 * trusts. Brings a cryptographic library along, which is why the client does not.
 */
export { cardVerifier } from "./card-verifier.js";
