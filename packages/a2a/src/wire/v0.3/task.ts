import type { Artifact, JsonObject, Task, TaskStatus } from "../../protocol/internal.js";
import { artifactOf, isJsonObject, taskOf, taskStatusOf } from "../../protocol/parse/internal.js";
import type { Members, Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { chunkFlagsOf } from "../members/chunk-flags.js";
import type { ChunkFlags } from "../members/chunk-flags.js";
import { completeArtifact, completeStatus, forPeers } from "../members/missing-members.js";
import { hasMember } from "../members/named-member.js";
import { liftStatusDetails, lowerStatusDetails } from "../members/status-details.js";
import {
  decodeTaskState,
  encodeLowerTaskState,
  encodeOldestTaskState,
} from "../members/task-state.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { decodePart, encodePart } from "./part.js";
import type { Shape } from "./shape.js";

export const decodeTaskStatus: Parser<TaskStatus> = taskStatusOf(decodeTaskState, decodeMessage);

export const decodeArtifact: Parser<Artifact> = forPeers(
  artifactOf(decodePart),
  (members, cursor) => completeArtifact(unflatten(members), cursor),
);

const parseTask = forPeers(
  taskOf({ status: decodeTaskStatus, artifact: decodeArtifact, message: decodeMessage }),
  completeStatus,
);

export const decodeTask: Parser<Task> = (value, cursor) =>
  parseTask(isJsonObject(value) ? liftStatusDetails(withContext(value), cursor) : value, cursor);

/** A server that also speaks 0.1 may name the context by `sessionId`. */
function withContext(task: Members): Members {
  const { sessionId } = task;
  return !hasMember(task, "contextId") && hasMember(task, "sessionId")
    ? { ...task, contextId: sessionId }
    : task;
}

/** Some peers write an artifact as one flat file, without parts. */
function unflatten(members: Members): Members {
  if (hasMember(members, "parts")) return members;
  const { id, artifactId = id, name, mimeType, bytes, url, uri = url, metadata } = members;
  if ((bytes ?? uri ?? null) === null) return members;
  return { artifactId, name, metadata, parts: [{ kind: "file", file: { bytes, uri, mimeType } }] };
}

export function encodeTaskStatus(
  status: TaskStatus,
  details: JsonObject,
  shape: Shape,
): JsonObject {
  const encodeState = shape.alsoOldest ? encodeOldestTaskState : encodeLowerTaskState;
  return compact({
    state: encodeState(status.state),
    message: status.message && encodeMessage(status.message, shape),
    timestamp: status.timestamp,
    ...details,
  });
}

/** What readers of 0.1 look for within an artifact: its place in its task, and its flags. */
interface OldestMembers extends ChunkFlags {
  readonly index: number;
}

/** Only the shape for readers of 0.1 shows what they look for. */
export function encodeArtifact(
  artifact: Artifact,
  { index, append, lastChunk }: OldestMembers,
  shape: Shape,
): JsonObject {
  const { alsoOldest } = shape;
  return compact({
    artifactId: artifact.artifactId,
    index: alsoOldest ? index : undefined,
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map((part) => encodePart(part, shape)),
    extensions: artifact.extensions,
    metadata: artifact.metadata,
    append: alsoOldest ? append : undefined,
    lastChunk: alsoOldest ? lastChunk : undefined,
  });
}

export function encodeTask(task: Task, shape: Shape): JsonObject {
  const { metadata, details } = lowerStatusDetails(task.metadata);
  const contextId = task.contextId ?? "";
  const flags = chunkFlagsOf(task);
  return compact({
    kind: "task",
    id: task.id,
    contextId,
    sessionId: shape.alsoOldest ? contextId : undefined,
    status: encodeTaskStatus(task.status, details, shape),
    artifacts: task.artifacts?.map((artifact, index) =>
      encodeArtifact(artifact, { index, ...flags }, shape),
    ),
    history: task.history?.map((message) => encodeMessage(message, shape)),
    metadata,
  });
}
