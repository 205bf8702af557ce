import type { JsonObject } from "./json.js";

/** The protocol versions that this library serves and calls. */
export const protocolVersions = ["0.1", "0.2", "0.3", "1.0"] as const;

/** A version of the protocol, as `Major.Minor`. */
export type ProtocolVersion = (typeof protocolVersions)[number];

/** The caller, as authentication established it. Stored with what the caller creates, so it has no secrets. */
export interface Principal {
  /** Unique over all issuers: `https://id.example#ada`. It owns what the caller creates. */
  readonly subject: string;
  /** All scopes that the caller was granted. */
  readonly scopes?: readonly string[];
  /** The scopes that each satisfied scheme granted, by the scheme's name. */
  readonly grants?: Readonly<Record<string, readonly string[]>>;
  /** The claims about the caller that the operator asked for. */
  readonly claims?: JsonObject;
}

/** W3C trace context: what others need to continue a trace. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  /** Whoever sent it is not trusted with it: spans begin a trace of their own, and link to this one. */
  readonly isUntrusted?: true;
  /** It is that of a span of this process that nobody will see, so that the parts of the span need none. */
  readonly isUnseen?: true;
}

/** What a caller can observe of its call while the call is under way. */
export interface CallObserver {
  /** The agent has sent something: an event, or a heartbeat between events. */
  readonly onActivity?: () => void;
  /** The agent has activated these extensions for the call. */
  readonly onExtensions?: (uris: readonly string[]) => void;
}

/** What a service keeps in memory for a large answer. */
export interface LargeAnswer {
  /** Encodings of the answer that others may share; see `StreamEvent`. */
  readonly encodings?: Map<string, unknown>;
  /** Called once, when the answer has been written or nobody reads it any more. */
  readonly release: () => void;
}

/** Everything beside the request itself that an operation may depend on. */
export interface CallContext {
  /** Absent for an anonymous caller. */
  readonly principal?: Principal;
  readonly tenant?: string;
  readonly version: ProtocolVersion;
  /** Over which binding the call came, as cards name it. Absent for a call within a process. */
  readonly binding?: "JSONRPC" | "HTTP+JSON" | "GRPC";
  /** The caller's spelling within its version. Opaque here; stored with what the call creates. */
  readonly dialect?: string;
  /** Extension URIs that were requested and are supported. */
  readonly extensions?: readonly string[];
  /** Ends the wait for an answer; never the work behind it. */
  readonly signal?: AbortSignal;
  /** The trace that the call is part of. */
  readonly trace?: TraceContext;
  /** The caller's address, in front of all trusted proxies. */
  readonly address?: string;
  /** The id of the request in logs. */
  readonly requestId?: string;
  /** A send with a key that was used before gets the result of the first send. */
  readonly idempotencyKey?: string;
  /** The stream continues after the event with this sequence number. */
  readonly resumeAfter?: number;
  /** Sent beside the request: as headers, or as gRPC metadata (§3.2.6). */
  readonly serviceParameters?: Readonly<Record<string, string>>;
  /**
   * A service calls this before it returns a large answer. The binding then encodes and writes it piece by piece, so
   * that nobody else has to wait, and releases it. Absent where no binding writes the answer.
   */
  readonly holdAnswer?: (answer: LargeAnswer) => void;
  /** For the caller's own side. A service that answers calls ignores it. */
  readonly observer?: CallObserver;
}

/** The context of a call that was made without one: no caller is known, and no binding carries it. */
export const anonymousCall: CallContext = { version: "1.0" };
