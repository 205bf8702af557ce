import type { JsonObject, JsonValue, StreamResponse, Task } from "../../protocol/internal.js";
import {
  artifactUpdateOf,
  isJsonObject,
  members,
  statusUpdateOf,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import type { EventContext, KnownIds } from "../codec.js";
import { compact } from "../members/as-json.js";
import { chunkFlagsOf } from "../members/chunk-flags.js";
import { completeStatus, forPeers } from "../members/missing-members.js";
import { liftStatusDetails, lowerStatusDetails } from "../members/status-details.js";
import {
  decodeArtifact,
  decodeTaskStatus,
  encodeArtifact,
  encodeTaskStatus,
  taskOfReply,
} from "./task.js";

const decodeStatusUpdate = forPeers(statusUpdateOf(decodeTaskStatus), completeStatus);
const decodeArtifactUpdate = artifactUpdateOf(decodeArtifact);

/** Decodes one of the two events of 0.1: with a status or with an artifact. */
export function decodeEvent(json: unknown, cursor: Cursor, known: KnownIds): StreamResponse {
  const { id, ...event } = members(json, cursor);
  const ids = { taskId: id ?? known.taskId, contextId: known.contextId ?? "" };
  if (isJsonObject(event["status"])) {
    const lifted = liftStatusDetails({ ...event, ...ids }, cursor);
    return { statusUpdate: decodeStatusUpdate(lifted, cursor) };
  }
  const { artifact } = event;
  if (!isJsonObject(artifact)) return cursor.fail("expected a status or an artifact");
  const { append, lastChunk } = artifact;
  const update = { ...event, ...ids, append, lastChunk };
  return { artifactUpdate: decodeArtifactUpdate(update, cursor) };
}

/** 0.1 streams neither tasks nor messages: both become the updates that lead to them. */
export function encodeEvent(response: StreamResponse, context: EventContext): readonly JsonValue[] {
  if (response.task) return encodeTaskAsUpdates(response.task, context.final ?? false);
  if (response.message) {
    return encodeTaskAsUpdates(taskOfReply(response.message, context.taskId), true);
  }
  if (response.statusUpdate) {
    const { taskId, status, metadata } = response.statusUpdate;
    return [encodeStatusUpdate({ id: taskId, status, metadata }, context.final ?? false)];
  }
  const { taskId, artifact, append = false, lastChunk = false, metadata } = response.artifactUpdate;
  const index = context.artifactIndex?.(artifact.artifactId) ?? 0;
  const encoded = encodeArtifact(artifact, index, { append, lastChunk });
  return [compact({ id: taskId, artifact: encoded, metadata })];
}

function encodeTaskAsUpdates(task: Task, final: boolean): readonly JsonValue[] {
  const { id, status, metadata, artifacts = [] } = task;
  const flags = chunkFlagsOf(task);
  const updates = artifacts.map((artifact, index) => ({
    id,
    artifact: encodeArtifact(artifact, index, flags),
  }));
  return [...updates, encodeStatusUpdate({ id, status, metadata }, final)];
}

function encodeStatusUpdate(
  event: Pick<Task, "id" | "status"> & { readonly metadata: JsonObject | undefined },
  final: boolean,
): JsonObject {
  const { metadata, details } = lowerStatusDetails(event.metadata);
  return compact({
    id: event.id,
    status: encodeTaskStatus(event.status, details),
    final,
    metadata,
  });
}
