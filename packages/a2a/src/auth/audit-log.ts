import type { ErrorCode, Operation } from "../protocol/internal.js";

/** What a call is about, as far as its request says. */
export interface Resource {
  readonly tenant?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  /** Of a push configuration. */
  readonly configId?: string;
  /** The skill that a message asks for, where the agent's operator can tell. */
  readonly skill?: string;
}

/** One decision about a caller. Holds names only: no credential, no content, no header. */
export interface AuditEvent {
  /** ISO 8601, in UTC. */
  readonly at: string;
  /** Who it is, whether it may, or whether it asks for too much. */
  readonly decision: "authentication" | "authorization" | "limit";
  readonly outcome: "allowed" | "denied";
  /** The same for all decisions about one request. */
  readonly requestId?: string;
  readonly address?: string;
  /** Absent for a caller who is not known. */
  readonly subject?: string;
  readonly operation?: Operation;
  readonly resource?: Resource;
  /** What a caller who was refused was told. */
  readonly code?: ErrorCode;
  /** What it was not told. */
  readonly reason?: string;
}

/** Where decisions are written down. Never throws and never makes anybody wait. */
export interface AuditLog {
  record(event: AuditEvent): void;
}

/** A line beyond this has a text that somebody chose to be long; such texts are cut. */
const maxLineLength = 1024;
const maxTextLength = 256;

/** An event as one line of JSON. Line breaks and control characters in names are escaped by JSON. */
export function formatAuditEvent(event: AuditEvent): string {
  const line = JSON.stringify(event);
  return line.length <= maxLineLength ? line : JSON.stringify(event, cutText);
}

function cutText(_: string, value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > maxTextLength;
  return isLong ? `${value.slice(0, maxTextLength)}…` : value;
}
