import { endsStream } from "../../protocol/internal.js";
import type { StreamResponse, Task } from "../../protocol/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import type { Shape } from "./shape.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";
import { encodeTask } from "./task.js";

/** Over JSON-RPC these versions push the whole task, whatever the event was. */
export function encodePushPayload(task: Task, shape: Shape): PushPayload {
  return { contentType: "application/json", body: encodeTask(task, shape) };
}

/** REST pushes the event in the member that its streams wrap it in. It is final where a stream of it would end. */
export function encodePushEvent(response: StreamResponse, shape: Shape): PushPayload {
  const state = response.statusUpdate?.status.state;
  const final = state !== undefined && endsStream("sendStreamingMessage", state);
  const [body = null] = encodeEvent(response, { final }, shape);
  return { contentType: "application/json", body };
}

/** Other servers push bare or wrapped events. Both are accepted. */
export const decodePushPayload: Parser<StreamResponse> = (value, cursor) =>
  decodeEvent(value, cursor, {});
