import { A2AError } from "../protocol/internal.js";
import type {
  CallContext,
  ErrorDetails,
  ProtocolVersion,
  StreamEvent,
  StreamResponse,
} from "../protocol/internal.js";
import {
  Cursor,
  formatExtensions,
  requestedExtensions,
  requestExtensionHeaders,
  versionOf,
  versionParameter,
} from "../wire/internal.js";
import type { KnownIds } from "../wire/internal.js";
import { parseSse } from "./sse-parser.js";
import { peerLimits } from "./transport-options.js";
import type { TransportOptions } from "./transport-options.js";

export interface PeerRequest {
  readonly url: string;
  readonly method: string;
  readonly accept: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request with all that the protocol puts into headers. Rejects with `UNAVAILABLE` when it cannot be sent. */
export async function sendRequest(
  options: TransportOptions,
  { url, method, accept, contentType, body }: PeerRequest,
  call: CallContext,
): Promise<Response> {
  const { fetch = globalThis.fetch, dialect } = options;
  const version = versionOf(dialect);
  const { extensions = [], idempotencyKey, resumeAfter, trace, signal } = call;
  const headers = new Headers({ ...options.headers, ...call.serviceParameters });
  headers.set("Accept", accept);
  headers.set(versionParameter, version);
  if (contentType !== undefined) headers.set("Content-Type", contentType);
  for (const name of extensions.length > 0 ? requestExtensionHeaders(version) : []) {
    headers.set(name, formatExtensions(extensions));
  }
  if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
  if (resumeAfter !== undefined) headers.set("Last-Event-ID", String(resumeAfter));
  if (trace !== undefined) headers.set("traceparent", trace.traceparent);
  if (trace?.tracestate !== undefined) headers.set("tracestate", trace.tracestate);
  const init: RequestInit = {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  };
  const response = await fetch(url, init).catch((error: unknown) => {
    throw A2AError.is(error) ? error : unreachable(url, error);
  });
  tellExtensions(response, version, call);
  return response;
}

function tellExtensions(response: Response, version: ProtocolVersion, call: CallContext): void {
  if (call.observer?.onExtensions === undefined) return;
  const activated = requestedExtensions(version, (name) => response.headers.get(name));
  call.observer.onExtensions(activated);
}

/** A cursor for what a peer has answered. */
export function createPeerCursor(): Cursor {
  return new Cursor({ code: "INVALID_AGENT_RESPONSE", limits: peerLimits });
}

/** Reads the JSON of an answer, which is `undefined` for an empty one. */
export async function readJson<T>(response: Response, read: (json: unknown) => T): Promise<T> {
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(response.url, error);
  });
  return understand(response, text.trim() === "" ? "null" : text, (json) =>
    read(json ?? undefined),
  );
}

/** Reads JSON. The beginning of what cannot be understood goes with the error. */
async function understand<T>(
  response: Response,
  text: string,
  read: (json: unknown) => T,
): Promise<Awaited<T>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw withText(unreadable(response), text);
  }
  try {
    return await read(json);
  } catch (error) {
    const isOdd = A2AError.is(error) && error.code === "INVALID_AGENT_RESPONSE";
    throw isOdd ? withText(error, text) : error;
  }
}

/** The error with the beginning of the text that it is about. */
export function withText(error: A2AError, text: string): A2AError {
  const body = text.slice(0, excerptLength).toWellFormed();
  return withDetails(error, { metadata: { ...error.details.metadata, body } });
}

export function isEventStream(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** A place in a log. Longer numbers are times, which some servers give as ids though two events may share one. */
const sequenceId = /^\d{1,11}$/;

/** How a binding reads the data of one event. */
export type ReadEvent = (
  data: unknown,
  known: KnownIds,
) => StreamResponse | Promise<StreamResponse>;

/** The events of a stream, with the sequence numbers the peer gives them, if it does. */
export async function* readEvents(
  response: Response,
  { observer }: CallContext,
  readEvent: ReadEvent,
  known: KnownIds = {},
): AsyncGenerator<StreamEvent, void, void> {
  if (response.body === null) throw unreadable(response);
  let ids = known;
  const source = parseSse(response.body, observer?.onActivity);
  try {
    for await (const { id, data } of source) {
      const event = await understand(response, data, (json) => readEvent(json, ids));
      ids = { ...ids, ...idsOf(event) };
      const sequence = id !== undefined && sequenceId.test(id) ? Number(id) : undefined;
      yield { response: event, ...(sequence !== undefined && { sequence }) };
    }
  } catch (error) {
    throw A2AError.is(error) ? error : unreachable(response.url, error);
  }
}

function idsOf({ task, statusUpdate, artifactUpdate }: StreamResponse): KnownIds {
  const update = statusUpdate ?? artifactUpdate;
  const taskId = task?.id ?? update?.taskId;
  const contextId = task?.contextId ?? update?.contextId;
  return {
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && contextId !== "" && { contextId }),
  };
}

const excerptLength = 2000;

/** What stands between a client and an agent answers with these, in whatever form it likes. */
const gatewayStatuses = [502, 503, 504];

/** An answer that is no A2A. */
function unreadable(response: Response): A2AError {
  const type = response.headers.get("content-type") ?? "no content type";
  const message = `the agent answered HTTP ${response.status} with ${type}, which is not A2A`;
  const isPassing = gatewayStatuses.includes(response.status);
  const code = isPassing ? "UNAVAILABLE" : "INVALID_AGENT_RESPONSE";
  return withRetryAfter(new A2AError(code, message), response);
}

/** The error with the time that the answer's header names, unless the error names one itself. */
export function withRetryAfter(error: A2AError, response: Response): A2AError {
  const header = response.headers.get("retry-after");
  if (header === null || error.details.retryAfterSeconds !== undefined) return error;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return error;
  return withDetails(error, { retryAfterSeconds: Math.max(0, seconds) });
}

function withDetails({ code, message, details, cause }: A2AError, more: ErrorDetails): A2AError {
  return new A2AError(code, message, { details: { ...details, ...more }, cause });
}

export function unreachable(
  url: string,
  cause: unknown,
  reason: string = reasonOf(cause),
): A2AError {
  return new A2AError("UNAVAILABLE", `${url} could not be reached: ${reason}`, { cause });
}

/** Node says that fetching failed, and why beneath, once for each address of a host. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const beneath: unknown = error.cause ?? (error as Partial<AggregateError>).errors?.[0];
  return beneath instanceof Error ? reasonOf(beneath) : error.message;
}
