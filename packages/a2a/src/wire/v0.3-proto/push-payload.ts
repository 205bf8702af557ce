import type { StreamResponse, Task } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import { hasMember } from "../members/named-member.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask, encodeTask } from "./task.js";

/** Pushes the whole task, as the other body form of 0.3 does. */
export function encodePushPayload(task: Task): PushPayload {
  return { contentType: "application/json", body: encodeTask(task) };
}

/** Decodes a bare task, or the event that some servers push instead. */
export const decodePushPayload: Parser<StreamResponse> = (value, cursor) =>
  isJsonObject(value) && hasMember(value, "status")
    ? { task: decodeTask(value, cursor) }
    : decodeEvent(value, cursor, {});
