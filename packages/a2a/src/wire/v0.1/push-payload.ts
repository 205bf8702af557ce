import type { StreamResponse, Task } from "../../protocol/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { PushPayload } from "../codec.js";
import { decodeTask, encodeTask } from "./task.js";

/** 0.1 leaves the body to the server but for the task's id and status: the task, and its id by name. */
export function encodePushPayload(task: Task): PushPayload {
  const body = { eventType: "taskUpdate", taskId: task.id, ...encodeTask(task) };
  return { contentType: "application/json", body };
}

export const decodePushPayload: Parser<StreamResponse> = (value, cursor) => ({
  task: decodeTask(value, cursor),
});
