import type {
  StreamResponse,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../stream-response.js";
import type { Artifact } from "../artifact.js";
import type { Message } from "../message.js";
import type { Task, TaskStatus } from "../task.js";
import type { Parser } from "./cursor.js";
import { jsonObject } from "./json.js";
import { identifierOrEmpty, parseMessage } from "./message.js";
import { exactlyOne, implicit, object, optional, required } from "./object.js";
import { boolean, identifier } from "./primitives.js";
import { parseArtifact, parseTask, parseTaskStatus } from "./task.js";

/* @__NO_SIDE_EFFECTS__ */
export function statusUpdateOf(status: Parser<TaskStatus>): Parser<TaskStatusUpdateEvent> {
  return object<TaskStatusUpdateEvent>({
    taskId: required(identifier),
    contextId: required(identifierOrEmpty),
    status: required(status),
    metadata: optional(jsonObject),
  });
}

/* @__NO_SIDE_EFFECTS__ */
export function artifactUpdateOf(artifact: Parser<Artifact>): Parser<TaskArtifactUpdateEvent> {
  return object<TaskArtifactUpdateEvent>({
    taskId: required(identifier),
    contextId: required(identifierOrEmpty),
    artifact: required(artifact),
    append: implicit(boolean),
    lastChunk: implicit(boolean),
    metadata: optional(jsonObject),
  });
}

/** The parsers of the four kinds of event. */
export interface StreamResponsePieces {
  readonly task: Parser<Task>;
  readonly message: Parser<Message>;
  readonly statusUpdate: Parser<TaskStatusUpdateEvent>;
  readonly artifactUpdate: Parser<TaskArtifactUpdateEvent>;
}

/* @__NO_SIDE_EFFECTS__ */
export function streamResponseOf(pieces: StreamResponsePieces): Parser<StreamResponse> {
  return exactlyOne(
    object<Partial<Record<keyof StreamResponsePieces, object>>>({
      task: optional<object>(pieces.task),
      message: optional<object>(pieces.message),
      statusUpdate: optional<object>(pieces.statusUpdate),
      artifactUpdate: optional<object>(pieces.artifactUpdate),
    }),
    ["task", "message", "statusUpdate", "artifactUpdate"],
  );
}

/** A stream event or push payload in the model's own form. */
export const parseStreamResponse: Parser<StreamResponse> = streamResponseOf({
  task: parseTask,
  message: parseMessage,
  statusUpdate: statusUpdateOf(parseTaskStatus),
  artifactUpdate: artifactUpdateOf(parseArtifact),
});
