import type { ErrorCode, Operation } from "../protocol/internal.js";

/** What a call is about, as far as its request names it. */
export interface Resource {
  readonly tenant?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  /** The id of a push configuration. */
  readonly configId?: string;
  /** The skill that a message asks for, as `skillOf` finds it. */
  readonly skill?: string;
  /** The method of an extension that is called. */
  readonly method?: string;
}

/** A decision about a caller. Holds names only: no credential, no content, no header. */
export interface AuditEvent {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** Who the caller is, whether it may make the call, or whether it makes too many. */
  readonly decision: "authentication" | "authorization" | "limit";
  readonly outcome: "allowed" | "denied";
  /** The same for all decisions about one request. */
  readonly requestId?: string;
  readonly address?: string;
  /** Absent for an unknown caller. */
  readonly subject?: string;
  readonly operation?: Operation;
  readonly resource?: Resource;
  /** The error that a refused caller received. */
  readonly code?: ErrorCode;
  /** The reason, which a refused caller did not receive. */
  readonly reason?: string;
}

/** Records decisions. Never throws and never blocks a call. */
export interface AuditLog {
  record(event: AuditEvent): void;
}

/** Long texts are cut in lines beyond this length, so that a caller cannot fill the log. */
const maxLineLength = 1024;
const maxTextLength = 256;

/** An event as one line of JSON, which escapes line breaks and control characters in names. */
export function formatAuditEvent(event: AuditEvent): string {
  const line = JSON.stringify(event);
  return line.length <= maxLineLength ? line : JSON.stringify(event, cutText);
}

function cutText(_: string, value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > maxTextLength;
  return isLong ? `${value.slice(0, maxTextLength)}…` : value;
}
