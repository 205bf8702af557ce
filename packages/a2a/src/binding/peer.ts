import { A2AError } from "../protocol/internal.js";
import type {
  CallContext,
  ErrorDetails,
  Limits,
  Operation,
  ProtocolVersion,
  RequestOf,
  StreamResponse,
} from "../protocol/internal.js";
import {
  Cursor,
  formatExtensions,
  requestedExtensions,
  requestExtensionHeaders,
  versionParameter,
} from "../wire/internal.js";
import type { KnownIds } from "../wire/internal.js";
import type { PeerFiles } from "./file-bytes.js";

/**
 * The tenant of the interface that was chosen from the card, unless the request names one itself. The tenant of
 * the call is not sent: it is the caller's own, if the caller is a server.
 */
export function withTenant<O extends Operation>(
  request: RequestOf<O>,
  tenant: string | undefined,
): RequestOf<O> {
  return tenant === undefined || request.tenant !== undefined ? request : { ...request, tenant };
}

/**
 * Sets the headers, over gRPC the metadata, by which the protocol says what is not in a message. Sets the call's
 * service parameters first, so that they cannot replace those of the protocol.
 */
export function setCallHeaders(
  set: (name: string, value: string) => void,
  call: CallContext,
  version: ProtocolVersion,
): void {
  const { extensions = [], idempotencyKey, resumeAfter, serviceParameters = {}, trace } = call;
  for (const [name, value] of Object.entries(serviceParameters)) set(name, value);
  set(versionParameter, version);
  for (const name of extensions.length > 0 ? requestExtensionHeaders(version) : []) {
    set(name, formatExtensions(extensions));
  }
  if (idempotencyKey !== undefined) set("Idempotency-Key", idempotencyKey);
  if (resumeAfter !== undefined) set("Last-Event-ID", String(resumeAfter));
  if (trace !== undefined) set("traceparent", trace.traceparent);
  if (trace?.tracestate !== undefined) set("tracestate", trace.tracestate);
}

/** Tells the observer of a call which extensions the agent has activated. */
export function tellExtensions(
  { observer }: CallContext,
  version: ProtocolVersion,
  header: (name: string) => string | null | undefined,
): void {
  observer?.onExtensions?.(requestedExtensions(version, header));
}

/** The ids of the task that a request is about, for peers that leave them out of their answers. */
export function knownIds(request: RequestOf<Operation>): KnownIds {
  if ("message" in request) return idsOf(request.message.taskId, request.message.contextId);
  if ("url" in request) return { taskId: request.taskId, config: request };
  return idsOf("taskId" in request ? request.taskId : "id" in request ? request.id : undefined);
}

/** The ids that are known once an event has come: peers may leave out later what they have said before. */
export function learnIds(known: KnownIds, event: StreamResponse): KnownIds {
  const { task, statusUpdate, artifactUpdate } = event;
  const update = statusUpdate ?? artifactUpdate;
  const taskId = task?.id ?? update?.taskId;
  const contextId = task?.contextId ?? update?.contextId;
  if (taskId === known.taskId && contextId === known.contextId) return known;
  return { ...known, ...idsOf(taskId, contextId) };
}

function idsOf(taskId: string | undefined, contextId?: string): KnownIds {
  return { ...(taskId !== undefined && { taskId }), ...(contextId && { contextId }) };
}

/** The transport bounds the size of a peer's answer; the limits for callers would refuse large tasks. */
const peerLimits: Limits = {
  maxBodyBytes: Infinity,
  maxParts: Infinity,
  maxJsonDepth: 500,
  maxIdLength: 4096,
};

/** A cursor for the answer of a peer. */
export function createPeerCursor({ fileBytes }: PeerFiles = {}): Cursor {
  const textFiles = fileBytes === "base64";
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", limits: peerLimits, textFiles });
}

const excerptLength = 2000;

/**
 * Adds the beginning of an answer to the error that reading it has thrown, if that says that the answer is not
 * A2A. Any other error is one that the peer has reported, and needs no evidence.
 */
export function withExcerpt(error: unknown, text: string): unknown {
  const isUnreadable = A2AError.is(error) && error.code === "INVALID_AGENT_RESPONSE";
  return isUnreadable ? withText(error, text) : error;
}

/** The error, with the beginning of the text that it is about. */
export function withText(error: A2AError, text: string): A2AError {
  const body = text.slice(0, excerptLength).toWellFormed();
  return withDetails(error, { metadata: { ...error.details.metadata, body } });
}

export function withDetails(
  { code, message, details, cause }: A2AError,
  more: ErrorDetails,
): A2AError {
  return new A2AError(code, message, { details: { ...details, ...more }, cause });
}

/**
 * The error for an answer that the client refuses whenever it comes, so that calling again is of no use. The problem,
 * for programs, is the name of the limit or of what is wrong.
 */
export function refuseAnswer(problem: string, message: string): A2AError {
  return new A2AError("INVALID_AGENT_RESPONSE", message, { details: { metadata: { problem } } });
}

/** The most bytes that an answer may have, unless the caller says otherwise. */
export const defaultMaxAnswerBytes: number = 64 * 1024 * 1024;

/** The most that is read of an answer. */
export interface ReadLimit {
  /** Bytes after decompression. */
  readonly maxBytes: number;
  /** The option of `connect` that sets it. */
  readonly option: string;
}

/** Refuses an answer of a size beyond the limit, and every answer if the limit is no number. */
export function checkSize(size: number, limit: ReadLimit): void {
  if (!(size <= limit.maxBytes)) throw tooLarge(limit);
}

/** The error for an answer beyond a limit. */
export function tooLarge({ maxBytes, option }: ReadLimit): A2AError {
  return refuseAnswer(option, `the answer exceeds ${option} of connect(): ${maxBytes} bytes`);
}

/** The error for a call that ended without an answer: its caller gave it up, or no connection leads to the peer. */
export function unanswered(address: string, cause: unknown, { signal }: CallContext): A2AError {
  if (A2AError.is(cause) || !signal?.aborted) return unreachable(address, cause);
  return new A2AError("UNAVAILABLE", "the caller gave up the call", { cause });
}

/**
 * The error for a peer that no connection leads to, unless there is an error that says more. All runtimes but browsers say that they have followed too many
 * redirects; that peer can be reached, and redirects the next call too.
 */
export function unreachable(
  address: string,
  cause: unknown,
  reason: string = reasonOf(cause),
): A2AError {
  if (A2AError.is(cause)) return cause;
  if (/redirect/i.test(reason)) {
    return refuseAnswer("redirects", `${address} redirects without end`);
  }
  return new A2AError("UNAVAILABLE", `${address} could not be reached: ${reason}`, { cause });
}

/** Node's fetch says only that it failed. The reason is its cause, or the first of several, one an address. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const beneath: unknown = error.cause ?? (error as Partial<AggregateError>).errors?.[0];
  return beneath instanceof Error ? reasonOf(beneath) : error.message;
}
