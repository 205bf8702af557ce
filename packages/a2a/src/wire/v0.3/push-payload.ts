import type { StreamResponse, Task } from "../../protocol/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import type { Shape } from "./shape.js";
import { decodeEvent } from "./stream-response.js";
import { encodeTask } from "./task.js";

/** These versions push the whole task, whatever the event was. */
export function encodePushPayload(task: Task, shape: Shape): PushPayload {
  return { contentType: "application/json", body: encodeTask(task, shape) };
}

/** Other servers push bare or wrapped events. Both are accepted. */
export const decodePushPayload: Parser<StreamResponse> = (value, cursor) =>
  decodeEvent(value, cursor, {});
