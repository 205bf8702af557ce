import type {
  JsonObject,
  JsonValue,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskArtifactUpdateEvent,
  TaskStatusUpdateEvent,
} from "../../protocol/internal.js";
import {
  artifactUpdateOf,
  isJsonObject,
  members,
  statusUpdateOf,
} from "../../protocol/parse/internal.js";
import type { Cursor, Members } from "../../protocol/parse/internal.js";
import type { EventContext, KnownIds } from "../codec.js";
import { compact } from "../members/as-json.js";
import { chunkFlagsOf } from "../members/chunk-flags.js";
import { completeStatus, forPeers, withDefaults } from "../members/missing-members.js";
import { liftStatusDetails, lowerStatusDetails } from "../members/status-details.js";
import { decodeMessage, encodeMessage } from "./message.js";
import type { Shape } from "./shape.js";
import {
  decodeArtifact,
  decodeTask,
  decodeTaskStatus,
  encodeArtifact,
  encodeTask,
  encodeTaskStatus,
} from "./task.js";

type EventName = "task" | "message" | "statusUpdate" | "artifactUpdate";

const decodeStatusUpdate = forPeers(statusUpdateOf(decodeTaskStatus), completeStatus);
const decodeArtifactUpdate = artifactUpdateOf(decodeArtifact);

/** The members that wrap an event, under all names that they have had. */
const wrappers: Readonly<Record<string, EventName>> = {
  task: "task",
  message: "message",
  msg: "message",
  statusUpdate: "statusUpdate",
  artifactUpdate: "artifactUpdate",
};

const kinds: ReadonlyMap<unknown, EventName> = new Map<unknown, EventName>([
  ["task", "task"],
  ["message", "message"],
  ["status-update", "statusUpdate"],
  ["artifact-update", "artifactUpdate"],
]);

/** Decodes an event, bare or wrapped: by its `kind` or, where a peer leaves that out, by its members. */
export function decodeEvent(json: unknown, cursor: Cursor, known: KnownIds): StreamResponse {
  const event = members(json, cursor);
  const wrapper = Object.keys(wrappers).find((name) => isJsonObject(event[name]));
  if (event["kind"] === undefined && wrapper !== undefined && !("status" in event)) {
    const name = wrappers[wrapper] ?? "task";
    return cursor.enter(wrapper, event[wrapper], (value) =>
      decodeNamed(name, members(value, cursor), cursor, known),
    );
  }
  return decodeNamed(nameOf(event, cursor), event, cursor, known);
}

function nameOf(event: Members, cursor: Cursor): EventName {
  const named = kinds.get(event["kind"]);
  if (named !== undefined) return named;
  if (isJsonObject(event["artifact"])) return "artifactUpdate";
  if (isJsonObject(event["status"])) return "taskId" in event ? "statusUpdate" : "task";
  if (Array.isArray(event["parts"])) return "message";
  return cursor.fail("expected a task, a message, a status update or an artifact update");
}

function decodeNamed(
  name: EventName,
  event: Members,
  cursor: Cursor,
  known: KnownIds,
): StreamResponse {
  const ids = { taskId: known.taskId, contextId: known.contextId ?? "" };
  switch (name) {
    case "task":
      return { task: decodeTask(event, cursor) };
    case "message":
      return { message: decodeMessage(event, cursor) };
    case "statusUpdate": {
      const completed = liftStatusDetails(withDefaults(event, ids), cursor);
      return { statusUpdate: decodeStatusUpdate(completed, cursor) };
    }
    case "artifactUpdate":
      return { artifactUpdate: decodeArtifactUpdate(withDefaults(event, ids), cursor) };
  }
}

/** 0.1 streams no tasks: for its readers, a task becomes the updates that lead to it. */
export function encodeEvent(
  response: StreamResponse,
  context: EventContext,
  shape: Shape,
): readonly JsonValue[] {
  if (response.task && shape.alsoOldest) return encodeTaskAsUpdates(response.task, context, shape);
  return [encodeOne(response, context, shape)];
}

/** Encodes the answer to a send, which is a task or a message in every shape. */
export function encodeReply(response: SendMessageResponse, shape: Shape): JsonObject {
  return encodeOne(response, {}, shape);
}

function encodeOne(response: StreamResponse, context: EventContext, shape: Shape): JsonObject {
  const [name, event] = encodeNamed(response, context, shape);
  return shape.rest ? { [name]: event } : event;
}

function encodeTaskAsUpdates(
  task: Task,
  context: EventContext,
  shape: Shape,
): readonly JsonObject[] {
  const { id: taskId, contextId = "", status, artifacts = [], metadata } = task;
  const flags = chunkFlagsOf(task);
  const update = { taskId, contextId, status, ...(metadata && { metadata }) };
  return [
    ...artifacts.map((artifact, index) => {
      const whole = { taskId, contextId, artifact, ...flags };
      return encodeArtifactUpdate(whole, { artifactIndex: () => index }, shape);
    }),
    encodeStatusUpdate(update, context, shape),
  ];
}

function encodeNamed(
  response: StreamResponse,
  context: EventContext,
  shape: Shape,
): readonly [EventName, JsonObject] {
  if (response.task) return ["task", encodeTask(response.task, shape)];
  if (response.message) return ["message", encodeMessage(response.message, shape)];
  if (response.statusUpdate) {
    return ["statusUpdate", encodeStatusUpdate(response.statusUpdate, context, shape)];
  }
  return ["artifactUpdate", encodeArtifactUpdate(response.artifactUpdate, context, shape)];
}

function encodeStatusUpdate(
  { taskId, contextId, status, ...event }: TaskStatusUpdateEvent,
  { final = false }: EventContext,
  shape: Shape,
): JsonObject {
  const { metadata, details } = lowerStatusDetails(event.metadata);
  return compact({
    kind: "status-update",
    taskId,
    id: shape.alsoOldest ? taskId : undefined,
    contextId,
    status: encodeTaskStatus(status, details, shape),
    final,
    metadata,
  });
}

function encodeArtifactUpdate(
  {
    taskId,
    contextId,
    artifact,
    append = false,
    lastChunk = false,
    metadata,
  }: TaskArtifactUpdateEvent,
  { artifactIndex }: EventContext,
  shape: Shape,
): JsonObject {
  const index = shape.alsoOldest ? (artifactIndex?.(artifact.artifactId) ?? 0) : 0;
  return compact({
    kind: "artifact-update",
    taskId,
    id: shape.alsoOldest ? taskId : undefined,
    contextId,
    artifact: encodeArtifact(artifact, { index, append, lastChunk }, shape),
    append,
    lastChunk,
    metadata,
  });
}
