import type { StreamResponse, Task } from "../protocol/index.js";
import type { PushPayload } from "./codec.js";
import { codecs } from "./codecs.js";
import type { Dialect } from "./dialect.js";
import { encodePushPayload } from "./v1.0/push-payload.js";

/** A notification in a dialect. The task is asked for only where it is what is pushed. */
export async function encodePush(
  dialect: Dialect,
  event: StreamResponse,
  task: () => Promise<Task>,
): Promise<PushPayload> {
  return dialect === "1.0"
    ? encodePushPayload(event)
    : codecs[dialect].encodePushPayload(event, await task());
}
