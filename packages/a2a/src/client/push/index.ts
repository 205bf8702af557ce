/**
 * Receiving push notifications: verifies that a notification comes from the agent, is complete, recent and meant
 * for this webhook, and reads it. An entry of its own, so that clients that receive none load no cryptography.
 */

export { createPushVerifier } from "./create-push-verifier.js";
export type { PushVerifier, PushVerifierOptions, VerifiedPush } from "./create-push-verifier.js";
export type { PushRequest } from "./push-request.js";
export { answerChallenge } from "./answer-challenge.js";
