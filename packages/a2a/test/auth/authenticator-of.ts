import type { Authenticator } from "../../src/protocol/internal.js";

/** An authenticator that does one thing and declares nothing. */
export function authenticatorOf(authenticate: Authenticator["authenticate"]): Authenticator {
  return { authenticate, challenges: ["Bearer"], declareIn: (card) => card };
}
