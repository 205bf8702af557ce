import type { JsonValue, StreamResponse } from "../../protocol/internal.js";
import {
  artifactUpdateOf,
  statusUpdateOf,
  streamResponseOf,
} from "../../protocol/parse/internal.js";
import type { Cursor } from "../../protocol/parse/internal.js";
import type { KnownIds } from "../codec.js";
import { asJson } from "../members/as-json.js";
import { completeStatus, completeUpdates, forPeers } from "../members/missing-members.js";
import { decodeMessage } from "./message.js";
import { decodeArtifact, decodeTask, decodeTaskStatus } from "./task.js";

const parse = streamResponseOf({
  task: decodeTask,
  message: decodeMessage,
  statusUpdate: forPeers(statusUpdateOf(decodeTaskStatus), completeStatus),
  artifactUpdate: artifactUpdateOf(decodeArtifact),
});

/** Decodes an event of a stream. Fills in known ids that the peer leaves out of an update. */
export function decodeEvent(json: unknown, cursor: Cursor, known: KnownIds): StreamResponse {
  return parse(completeUpdates(json, known), cursor);
}

/** The model's event is already in the form of 1.0. */
export function encodeEvent(response: StreamResponse): readonly JsonValue[] {
  return [asJson(response)];
}
