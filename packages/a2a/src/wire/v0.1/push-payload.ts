import type { StreamResponse, Task } from "../../protocol/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import { decodeTask, encodeTask } from "./task.js";

/** 0.1 requires the id and the status of the task. The body is the task, with its id also as `taskId`. */
export function encodePushPayload(task: Task): PushPayload {
  const body = { eventType: "taskUpdate", taskId: task.id, ...encodeTask(task) };
  return { contentType: "application/json", body };
}

export const decodePushPayload: Parser<StreamResponse> = (value, cursor) => ({
  task: decodeTask(value, cursor),
});
