/**
 * Verifying the signatures of agent cards, with keys that the caller has or from key sets at hosts that it
 * trusts. An entry of its own, because it loads a cryptographic library.
 */

export { createCardVerifier } from "./create-card-verifier.js";
