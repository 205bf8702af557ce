import type { JWK } from "jose";
import type { PushSenderOptions } from "./create-push-sender.js";

/** How a server sends push notifications. */
export interface ServePushOptions extends Omit<PushSenderOptions, "keys" | "now"> {
  /**
   * Private keys in JWK: the first one signs, of the others only the public half is published. When absent, the
   * nodes share keys in the store, and replace them every `rotateKeysMs`.
   */
  readonly keys?: readonly JWK[];
  /** How long a key of the store signs; 30 days when absent. */
  readonly rotateKeysMs?: number;
}
