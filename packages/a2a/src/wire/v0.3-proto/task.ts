import type { Artifact, JsonObject, Task, TaskStatus } from "../../protocol/internal.js";
import {
  artifactOf,
  object,
  optional,
  required,
  taskOf,
  timestamp,
} from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { compact } from "../members/as-json.js";
import { completeArtifact, completeStatus, forPeers } from "../members/missing-members.js";
import { decodeTaskState, encodeProtoTaskState } from "../members/task-state.js";
import { decodeMessage, encodeMessage } from "./message.js";
import { decodePart, encodePart } from "./part.js";

/** The protobuf field of the message is `update`, and ProtoJSON had that name until 0.2.5. */
export const decodeTaskStatus: Parser<TaskStatus> = object<TaskStatus>({
  state: required(decodeTaskState),
  message: optional(decodeMessage, { aliases: ["update"] }),
  timestamp: optional(timestamp),
});

export const decodeArtifact: Parser<Artifact> = forPeers(artifactOf(decodePart), completeArtifact);

export const decodeTask: Parser<Task> = forPeers(
  taskOf({ status: decodeTaskStatus, artifact: decodeArtifact, message: decodeMessage }),
  completeStatus,
);

export function encodeTaskStatus(status: TaskStatus): JsonObject {
  return compact({
    state: encodeProtoTaskState(status.state),
    message: status.message && encodeMessage(status.message),
    timestamp: status.timestamp,
  });
}

export function encodeArtifact(artifact: Artifact): JsonObject {
  return compact({
    artifactId: artifact.artifactId,
    name: artifact.name,
    description: artifact.description,
    parts: artifact.parts.map(encodePart),
    metadata: artifact.metadata,
    extensions: artifact.extensions,
  });
}

export function encodeTask(task: Task): JsonObject {
  return compact({
    id: task.id,
    contextId: task.contextId,
    status: encodeTaskStatus(task.status),
    artifacts: task.artifacts?.map(encodeArtifact),
    history: task.history?.map(encodeMessage),
    metadata: task.metadata,
  });
}
