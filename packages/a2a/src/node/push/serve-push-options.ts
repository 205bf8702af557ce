import type { JWK } from "jose";
import type { PushSenderOptions } from "./create-push-sender.js";

/** How push notifications are sent by a server. */
export interface ServePushOptions extends Omit<PushSenderOptions, "keys" | "now"> {
  /**
   * Private keys as JWK; the first signs, the others are only published. When absent, keys are kept in the
   * store, which all nodes over it share, and replaced from time to time.
   */
  readonly keys?: readonly JWK[];
  /** How long a key of the store signs; 30 days when absent. */
  readonly rotateKeysMs?: number;
}
