import type { Authenticator } from "../../../src/protocol/internal.js";

/** An authenticator that runs one function, and declares no schemes in the card. */
export function authenticatorOf(authenticate: Authenticator["authenticate"]): Authenticator {
  return { authenticate, challenges: ["Bearer"], declareIn: (card) => card };
}
