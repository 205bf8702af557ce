import type {
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../stream-response.js";
import type { Parser } from "./cursor.js";
import { jsonObject } from "./json.js";
import { parseMessage } from "./message.js";
import { exactlyOne, implicit, object, optional, required } from "./object.js";
import { boolean, identifier } from "./primitives.js";
import { parseArtifact, parseTask, parseTaskStatus } from "./task.js";

export const parseTaskStatusUpdateEvent: Parser<TaskStatusUpdateEvent> =
  object<TaskStatusUpdateEvent>({
    taskId: required(identifier),
    contextId: required(identifier),
    status: required(parseTaskStatus),
    metadata: optional(jsonObject),
  });

export const parseTaskArtifactUpdateEvent: Parser<TaskArtifactUpdateEvent> =
  object<TaskArtifactUpdateEvent>({
    taskId: required(identifier),
    contextId: required(identifier),
    artifact: required(parseArtifact),
    append: implicit(boolean),
    lastChunk: implicit(boolean),
    metadata: optional(jsonObject),
  });

/** A stream event or push payload in the model's own form. */
export const parseStreamResponse: Parser<StreamResponse> = exactlyOne(
  object<{ [K in "task" | "message" | "statusUpdate" | "artifactUpdate"]?: object }>({
    task: optional(parseTask),
    message: optional(parseMessage),
    statusUpdate: optional(parseTaskStatusUpdateEvent),
    artifactUpdate: optional(parseTaskArtifactUpdateEvent),
  }),
  ["task", "message", "statusUpdate", "artifactUpdate"],
);
