import type { JsonObject } from "./json.js";

/** The versions of the protocol that are served and called. */
export const protocolVersions = ["0.1", "0.2", "0.3", "1.0"] as const;

/** A version of the protocol, as `Major.Minor`. */
export type ProtocolVersion = (typeof protocolVersions)[number];

/** Who is calling, as authentication established it. Recorded with what it starts, so without secrets. */
export interface Principal {
  /** Unlike any other, whoever vouches for it: `https://id.example#ada`. It owns what is created. */
  readonly subject: string;
  /** All that it was granted. */
  readonly scopes?: readonly string[];
  /** What each scheme that it has satisfied has granted, by the scheme's name. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  /** What is said about it, as far as the operator asked to know. */
  readonly claims?: JsonObject;
}

/** W3C trace context, passed through as received. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** What a caller may hear of a call that is under way. */
export interface CallObserver {
  /** The agent gave a sign of life: an event, or a heartbeat between events. */
  readonly onActivity?: () => void;
  /** The extensions that the agent has activated for the call. */
  readonly onExtensions?: (uris: readonly string[]) => void;
}

/** What surrounds a request: everything an operation may depend on that is not in its message. */
export interface CallContext {
  /** Absent for an anonymous caller. */
  readonly principal?: Principal;
  readonly tenant?: string;
  readonly version: ProtocolVersion;
  /** The caller's spelling within its version. Opaque here; recorded with what the call creates. */
  readonly dialect?: string;
  /** Extension URIs that were requested and are supported. */
  readonly extensions?: readonly string[];
  /** Ends the wait for an answer; never the work behind it. */
  readonly signal?: AbortSignal;
  readonly trace?: TraceContext;
  /** Where the call comes from, in front of all proxies that are trusted. */
  readonly address?: string;
  /** What the request is called in logs. */
  readonly requestId?: string;
  /** A repeated send with the same key is answered with the first one's result. */
  readonly idempotencyKey?: string;
  /** Continue a stream after the event with this sequence number. */
  readonly resumeAfter?: number;
  /** Sent beside the request: as headers, or as metadata (§3.2.6). */
  readonly serviceParameters?: Readonly<Record<string, string>>;
  /** For callers; services that are called look at nothing of it. */
  readonly observer?: CallObserver;
}
