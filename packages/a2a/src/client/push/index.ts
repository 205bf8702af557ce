/**
 * Receiving push notifications: whether one is from the agent, whole, fresh and meant for us, and what it
 * says. An entry of its own, so that clients that receive none carry no cryptography.
 */
export { createPushVerifier } from "./create-push-verifier.js";
export type { PushVerifier, PushVerifierOptions, VerifiedPush } from "./create-push-verifier.js";
export type { PushRequest } from "./push-request.js";
export { answerChallenge } from "./answer-challenge.js";
