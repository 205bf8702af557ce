import type { StreamResponse, Task } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import { hasMember } from "../members/named-member.js";
import { decodeEvent } from "./stream-response.js";
import { decodeTask, encodeTask } from "./task.js";

/** The whole task, as in the other body form of 0.3. */
export function encodePushPayload(task: Task): PushPayload {
  return { contentType: "application/json", body: encodeTask(task) };
}

/** A bare task, or an event of a server that pushes those. */
export const decodePushPayload: Parser<StreamResponse> = (value, cursor) =>
  isJsonObject(value) && hasMember(value, "status")
    ? { task: decodeTask(value, cursor) }
    : decodeEvent(value, cursor, {});
