import type { StreamResponse, Task } from "../protocol/internal.js";
import type { PushPayload } from "./codec.js";
import { codecs } from "./codecs.js";
import type { Dialect } from "./dialect.js";

/**
 * Encodes a push notification for a receiver that was registered in a dialect. Calls `task` only for
 * dialects that push the whole task. Receivers that were registered in ProtoJSON of 0.3 get the task in the
 * shapes of the JSON schema: the official receivers know no others.
 */
export async function encodePush(
  dialect: Dialect,
  event: StreamResponse,
  task: () => Promise<Task>,
): Promise<PushPayload> {
  if (dialect === "1.0" || dialect === "0.3-schema") {
    return codecs[dialect].encodePushPayload(event);
  }
  return codecs[dialect === "0.3-proto" ? "0.3" : dialect].encodePushPayload(event, await task());
}
