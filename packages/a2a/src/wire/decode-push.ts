import type { StreamResponse } from "../protocol/internal.js";
import { isJsonObject } from "../protocol/parse/internal.js";
import type { Cursor } from "../protocol/parse/internal.js";
import { codecs } from "./codecs.js";
import type { Dialect } from "./dialect.js";

/** The event of a push notification, and the dialect of the notification. */
export interface DecodedPush {
  readonly dialect: Dialect;
  readonly event: StreamResponse;
}

/** Reads the body of a push notification of any version. Its members tell the version. */
export function decodePush(body: unknown, cursor: Cursor): DecodedPush {
  const dialect = detectPush(body);
  return { dialect, event: codecs[dialect].decodePushPayload(body, cursor) };
}

const eventNames = ["task", "message", "statusUpdate", "artifactUpdate"];

function detectPush(body: unknown): Dialect {
  if (!isJsonObject(body)) return "1.0";
  if ("kind" in body) return "0.3";
  const wrapped = eventNames.map((name) => body[name]).find(isJsonObject);
  if (wrapped !== undefined && !("status" in body)) return "kind" in wrapped ? "0.3" : "1.0";
  if ("eventType" in body || "sessionId" in body) return "0.1";
  const state = isJsonObject(body["status"]) ? body["status"]["state"] : undefined;
  return typeof state === "string" && state.startsWith("TASK_STATE_") ? "0.3-proto" : "0.3";
}
