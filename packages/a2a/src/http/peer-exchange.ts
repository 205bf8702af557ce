import { A2AError } from "../protocol/internal.js";
import type { CallContext, StreamEvent, StreamResponse } from "../protocol/internal.js";
import {
  defaultMaxAnswerBytes,
  learnIds,
  setCallHeaders,
  tellExtensions,
  unanswered,
  withDetails,
  withExcerpt,
  withText,
} from "../binding/internal.js";
import type { PeerFiles, ReadLimit } from "../binding/internal.js";
import type { Batches } from "../async/internal.js";
import { versionOf } from "../wire/internal.js";
import type { Dialect, KnownIds } from "../wire/internal.js";
import { headerFields } from "./header-fields.js";
import { readText } from "./read-text.js";
import { parseSse } from "./sse/parse-sse.js";

/** The part of `fetch` that transports use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How much of what a peer sends a client takes. */
export interface AnswerLimits {
  /** The most bytes that an answer may have, after decompression; 64 MiB when absent. */
  readonly maxAnswerBytes?: number;
  /**
   * The most bytes that an event of a stream may have; `maxAnswerBytes` when absent, because the first event may be
   * the whole task.
   */
  readonly maxEventBytes?: number;
}

/** Which interface a transport calls, and in which dialect. */
export interface TransportOptions extends AnswerLimits, PeerFiles {
  /** The URL of the interface, as the card lists it. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly fetch?: Fetch;
  /** The tenant of the interface, sent in every request. */
  readonly tenant?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The error for an answer that the caller is not authenticated (401); what the answer says when absent. */
  readonly refusalOf?: (response: Response, text: string) => Promise<A2AError>;
}

/** The answer to a call, before it is read. */
export interface PeerAnswer {
  readonly response: Response;
  readonly call: CallContext;
  readonly limits: AnswerLimits;
}

export interface PeerRequest {
  readonly url: string;
  readonly method: string;
  readonly accept: string;
  readonly contentType?: string;
  readonly body?: string;
}

/** Sends a request with the headers of the protocol. Rejects with `UNAVAILABLE` if the peer cannot be reached. */
export async function sendRequest(
  options: TransportOptions,
  { url, method, accept, contentType, body }: PeerRequest,
  call: CallContext,
): Promise<PeerAnswer> {
  const { fetch = globalThis.fetch, dialect, refusalOf } = options;
  const version = versionOf(dialect);
  const { signal } = call;
  const headers = headerFields(options.headers);
  setCallHeaders((name, value) => void (headers[name.toLowerCase()] = value), call, version);
  headers["accept"] = accept;
  if (contentType !== undefined) headers["content-type"] = contentType;
  const init: RequestInit = {
    method,
    headers,
    body: body ?? null,
    signal: signal ?? null,
  };
  const response = await fetch(url, init).catch((error: unknown) => {
    throw unanswered(url, error, call);
  });
  tellExtensions(call, version, (name) => response.headers.get(name));
  const answer = { response, call, limits: options };
  if (response.status !== 401 || refusalOf === undefined) return answer;
  throw await refusalOf(response, await textOf(answer));
}

/** The limit that an option sets. */
function limitOf(
  { maxAnswerBytes = defaultMaxAnswerBytes, maxEventBytes = maxAnswerBytes }: AnswerLimits,
  option: keyof AnswerLimits,
): ReadLimit {
  return { maxBytes: { maxAnswerBytes, maxEventBytes }[option], option };
}

function textOf({ response, call, limits }: PeerAnswer): Promise<string> {
  return readText(response, limitOf(limits, "maxAnswerBytes"), call.observer?.onActivity).catch(
    (error: unknown) => {
      throw unanswered(response.url, error, call);
    },
  );
}

/** Reads the JSON of an answer; `undefined` if the answer is empty. */
export async function readJson<T>(
  answer: PeerAnswer,
  read: (json: unknown) => T,
): Promise<Awaited<T>> {
  const text = await textOf(answer);
  return await understand(answer.response, text.trim() ? text : "null", (json) =>
    read(json ?? undefined),
  );
}

/** Reads JSON. An error that says that the answer is not A2A gets the beginning of its text. */
function understand<T>(response: Response, text: string, read: (json: unknown) => T): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw withText(unreadable(response), text);
  }
  const explain = (error: unknown): never => {
    throw withExcerpt(error, text);
  };
  try {
    const value = read(json);
    return value instanceof Promise ? (value.catch(explain) as T) : value;
  } catch (error) {
    return explain(error);
  }
}

export function isEventStream(response: Response): boolean {
  return (response.headers.get("content-type") ?? "").startsWith("text/event-stream");
}

/** Sequence numbers. Longer numbers are times: some servers send these as ids, though two events may share one. */
const sequenceId = /^\d{1,11}$/;

/** Reads the data of one event. */
export type ReadEvent = (
  data: unknown,
  known: KnownIds,
) => StreamResponse | Promise<StreamResponse>;

/** The events of a stream, those of each piece together, with their sequence numbers if the peer sends any. */
export async function* readEvents(
  { response, call, limits }: PeerAnswer,
  readEvent: ReadEvent,
  known: KnownIds,
): Batches<StreamEvent> {
  if (response.body === null) throw unreadable(response);
  let ids = known;
  const limit = limitOf(limits, "maxEventBytes");
  const source = parseSse(response.body, limit, call.observer?.onActivity);
  try {
    for await (const piece of source) {
      const events: StreamEvent[] = [];
      try {
        for (const { id, data } of piece) {
          const event = await understand(response, data, (json) => readEvent(json, ids));
          ids = learnIds(ids, event);
          const isNumbered = sequenceId.test(id ?? "");
          events.push(isNumbered ? { response: event, sequence: Number(id) } : { response: event });
        }
      } finally {
        // Those before one that cannot be read are passed on first.
        if (events.length > 0) yield events;
      }
    }
  } catch (error) {
    throw unanswered(response.url, error, call);
  }
}

/** Proxies between a client and an agent answer with these statuses, in any form. */
const gatewayStatuses = [502, 503, 504];

/** The error for an answer that is not A2A. */
function unreadable(response: Response): A2AError {
  const type = response.headers.get("content-type") ?? "no content type";
  const message = `the agent answered HTTP ${response.status} with ${type}, which is not A2A`;
  const isOfGateway = gatewayStatuses.includes(response.status);
  const code = isOfGateway ? "UNAVAILABLE" : "INVALID_AGENT_RESPONSE";
  return withRetryAfter(new A2AError(code, message), response);
}

/** The error, with the time to wait that the `Retry-After` header names, unless the error names one itself. */
export function withRetryAfter(error: A2AError, response: Response): A2AError {
  const header = response.headers.get("retry-after");
  if (header === null || error.details.retryAfterSeconds !== undefined) return error;
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  if (Number.isNaN(seconds)) return error;
  return withDetails(error, { retryAfterSeconds: Math.max(0, seconds) });
}
