/**
 * Receives push notifications: verifies that a notification is from the agent, complete, fresh and for this
 * webhook, and decodes it. A separate entry, so that other clients do not load the cryptography.
 */
export { answerChallenge } from "./answer-challenge.js";
export { createPushVerifier } from "./create-push-verifier.js";
export type { PushVerifier, PushVerifierOptions, VerifiedPush } from "./create-push-verifier.js";
export type { PushRequest } from "./push-request.js";
