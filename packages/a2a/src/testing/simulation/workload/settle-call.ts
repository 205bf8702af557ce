import type { OpenCall } from "../world/recorder.js";
import type { World } from "../world/world.js";
import type { Reply } from "./network.js";

/** Records how a call of a caller ended. */
export function settleCall({ nowMs }: World, call: OpenCall, reply: Reply<unknown>): void {
  call.endedAt = nowMs;
  call.outcome = reply.outcome;
  if (reply.outcome === "answered") return;
  call.error = reply.error;
  // The task may have taken the message, and may have ended and expired while its caller waited.
  if (reply.error.endsWith("has been deleted")) call.outcome = "unknown";
}
