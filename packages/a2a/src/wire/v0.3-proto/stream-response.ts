import type { JsonObject, JsonValue, StreamResponse } from "../../protocol/internal.js";
import {
  artifactUpdateOf,
  isJsonObject,
  statusUpdateOf,
  streamResponseOf,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import type { EventContext, KnownIds } from "../codec.js";
import { compact } from "../members/as-json.js";
import { completeStatus, completeUpdates, forPeers } from "../members/missing-members.js";
import { decodeMessage, encodeMessage } from "./message.js";
import {
  decodeArtifact,
  decodeTask,
  decodeTaskStatus,
  encodeArtifact,
  encodeTask,
  encodeTaskStatus,
} from "./task.js";

const parse = streamResponseOf({
  task: decodeTask,
  message: decodeMessage,
  statusUpdate: forPeers(statusUpdateOf(decodeTaskStatus), completeStatus),
  artifactUpdate: artifactUpdateOf(decodeArtifact),
});

/** Decodes an event by the member that wraps it. Until 0.2.5 a message was called `msg`. */
export function decodeEvent(json: unknown, cursor: Cursor, known: KnownIds): StreamResponse {
  const renamed =
    isJsonObject(json) && isJsonObject(json["msg"]) ? { ...json, message: json["msg"] } : json;
  return parse(completeUpdates(renamed, known), cursor);
}

export function encodeEvent(response: StreamResponse, context: EventContext): readonly JsonValue[] {
  return [encodeWrapped(response, context)];
}

function encodeWrapped(response: StreamResponse, context: EventContext): JsonObject {
  if (response.task) return { task: encodeTask(response.task) };
  if (response.message) return { message: encodeMessage(response.message) };
  if (response.statusUpdate) {
    const { status, ...event } = response.statusUpdate;
    const final = context.final === true ? true : undefined;
    return { statusUpdate: compact({ ...event, status: encodeTaskStatus(status), final }) };
  }
  const { artifact, ...event } = response.artifactUpdate;
  return { artifactUpdate: compact({ ...event, artifact: encodeArtifact(artifact) }) };
}
