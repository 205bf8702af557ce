import type { Artifact, JsonObject, Message, Task, TaskStatus } from "../../protocol/internal.js";
import {
  artifactOf,
  describe,
  isJsonObject,
  members,
  taskOf,
  taskStatusOf,
} from "../../protocol/parse/internal.js";
import type { Cursor, Members, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { chunkFlagsOf } from "../members/chunk-flags.js";
import type { ChunkFlags } from "../members/chunk-flags.js";
import { completeStatus, forPeers } from "../members/missing-members.js";
import { hasMember } from "../members/named-member.js";
import { liftStatusDetails, lowerStatusDetails } from "../members/status-details.js";
import { decodeTaskState, encodeOldestTaskState } from "../members/task-state.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { decodePart, encodePart } from "./part.js";

export const decodeTaskStatus: Parser<TaskStatus> = taskStatusOf(decodeTaskState, decodeMessage);

const parseArtifact = artifactOf(decodePart);

/** An artifact of 0.1 has an index, which becomes its id. */
export const decodeArtifact: Parser<Artifact> = (value, cursor) =>
  parseArtifact({ ...members(value, cursor), artifactId: String(indexOf(value, cursor)) }, cursor);

const parseTask = forPeers(
  taskOf({ status: decodeTaskStatus, artifact: decodeArtifact, message: decodeMessage }),
  completeStatus,
);

export const decodeTask: Parser<Task> = (value, cursor) =>
  parseTask(isJsonObject(value) ? liftStatusDetails(withContext(value), cursor) : value, cursor);

export function encodeTaskStatus(status: TaskStatus, details: JsonObject): JsonObject {
  return compact({
    state: encodeOldestTaskState(status.state),
    message: status.message && encodeMessage(status.message),
    timestamp: status.timestamp,
    ...details,
  });
}

export function encodeArtifact(artifact: Artifact, index: number, flags: ChunkFlags): JsonObject {
  return compact({
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map(encodePart),
    metadata: artifact.metadata,
    index,
    ...flags,
  });
}

export function encodeTask(task: Task): JsonObject {
  const { metadata, details } = lowerStatusDetails(task.metadata);
  const flags = chunkFlagsOf(task);
  return compact({
    id: task.id,
    sessionId: task.contextId,
    status: encodeTaskStatus(task.status, details),
    artifacts: task.artifacts?.map((artifact, index) => encodeArtifact(artifact, index, flags)),
    history: task.history?.map(encodeMessage),
    metadata,
  });
}

/**
 * 0.1 answers with tasks only. A direct reply becomes a completed task, with the reply as its status
 * message and as its one artifact.
 */
export function taskOfReply(reply: Message, taskId: string | undefined): Task {
  return {
    id: taskId ?? reply.taskId ?? reply.messageId,
    ...(reply.contextId !== undefined && { contextId: reply.contextId }),
    status: { state: "TASK_STATE_COMPLETED", message: reply },
    artifacts: [{ artifactId: "0", parts: reply.parts }],
  };
}

function indexOf(artifact: unknown, cursor: Cursor): number {
  const index = (isJsonObject(artifact) ? artifact["index"] : undefined) ?? 0;
  if (typeof index === "number" && Number.isInteger(index) && index >= 0) return index;
  return cursor.fail(`expected an index of at least 0, got ${describe(index)}`, "index");
}

function withContext(task: Members): Members {
  const { sessionId: contextId, ...rest } = task;
  return hasMember(task, "sessionId") ? { ...rest, contextId } : task;
}
