import type { HttpHandler, HttpRequest, HttpResponse } from "@parley/a2a/http";
import type { HeaderList } from "../../contract/index.js";
import type { Redactor } from "../../record/index.js";
import { describeReceived } from "./describe-received.js";
import type { Received } from "./describe-received.js";
import type { HopRecord, HopStart, HopSubject } from "./hop-record.js";
import type { HopRing } from "./hop-ring.js";

/** The headers of requests that are shown: those that matter to A2A, and those that say who called. */
const shownHeaders = [
  "host",
  "user-agent",
  "accept",
  "content-type",
  "content-length",
  "authorization",
  "cookie",
  "origin",
  "a2a-version",
  "a2a-extensions",
  "last-event-id",
  "traceparent",
  "idempotency-key",
  "x-forwarded-for",
] as const;

/** Where exchanges are recorded, and what is known of the server once it is open. */
export interface WatchedServer {
  readonly ring: HopRing;
  readonly redactor: () => Redactor;
  /** The paths of the agents. */
  readonly mounts: () => readonly string[];
}

/** A handler that records what callers exchange with the server behind it. */
export function watchHandler(handle: HttpHandler, server: WatchedServer): HttpHandler {
  const { ring, redactor, mounts } = server;
  return async (request) => {
    let record: HopRecord | undefined;
    const begin = (body?: string): HopRecord => {
      record ??= ring.begin(startOf(request, body, mounts), redactor);
      return record;
    };
    const watched = {
      method: request.method,
      target: request.target,
      ...(request.basePath !== undefined && { basePath: request.basePath }),
      ...(request.around !== undefined && { around: request.around }),
      ...(request.trace !== undefined && { trace: request.trace }),
      header: (name: string) => request.header(name),
      get signal() {
        return request.signal;
      },
      get connection() {
        return request.connection;
      },
      body(maxBytes: number) {
        const given = request.body(maxBytes);
        if (given instanceof Uint8Array) return keep(given);
        return given.then(keep);
      },
    } as HttpRequest;
    function keep(bytes: Uint8Array): Uint8Array {
      begin(Buffer.from(bytes).toString("utf8"));
      return bytes;
    }
    const response = await handle(watched);
    return observed(response, begin());
  };
}

function startOf(
  request: HttpRequest,
  body: string | undefined,
  mounts: WatchedServer["mounts"],
): HopStart {
  const { method, target } = request;
  const scheme = request.connection?.isSecure === true ? "https" : "http";
  const version = request.header("a2a-version");
  return {
    direction: "received",
    method,
    url: `${scheme}://${request.header("host") ?? ""}${target}`,
    requestHeaders: headersOf(request),
    ...(body !== undefined && { requestBody: body }),
    // Must be made where nothing else is in reach: a closure of this function would keep the whole request alive.
    describe: describing({ method, target, version, body }, mounts),
  };
}

function headersOf(request: HttpRequest): HeaderList {
  const headers: (readonly [string, string])[] = [];
  for (const name of shownHeaders) {
    const value = request.header(name);
    if (value !== undefined) headers.push([name, value]);
  }
  return headers;
}

function describing(received: Received, mounts: WatchedServer["mounts"]): () => HopSubject {
  return () => describeReceived(received, mounts());
}

function observed(response: HttpResponse, record: HopRecord): HttpResponse {
  record.answer(response.status, Object.entries(response.headers));
  if (!("stream" in response)) {
    record.end({ body: response.body ?? "" });
    return response;
  }
  const isEvents = /^text\/event-stream\b/i.test(response.headers["Content-Type"] ?? "");
  return { ...response, stream: watchedStream(response.stream, record, isEvents) };
}

type Piece = string | Uint8Array;

/** The members by which the server's writer takes pieces without waiting. */
interface Pieces extends AsyncIterator<Piece, undefined> {
  take?(): Piece | undefined;
  onReady?(reader: { wake(): void }): void;
  readonly isOver?: boolean;
  readonly isLarge?: boolean;
}

/** A stream whose pieces are recorded as they are written. */
function watchedStream(
  stream: AsyncIterable<Piece, undefined>,
  record: HopRecord,
  isEvents: boolean,
): AsyncIterable<Piece, undefined> {
  let text = "";
  const see = (piece: Piece | undefined): Piece | undefined => {
    if (piece === undefined) return undefined;
    if (isEvents) record.piece(piece);
    else if (text.length < maxBody)
      text += typeof piece === "string" ? piece : Buffer.from(piece).toString("utf8");
    return piece;
  };
  const end = (error?: string): void =>
    record.end({ ...(!isEvents && { body: text }), ...(error !== undefined && { error }) });
  return {
    [Symbol.asyncIterator](): AsyncIterator<Piece, undefined> {
      const iterator = stream[Symbol.asyncIterator]() as Pieces;
      const watched: Pieces = {
        async next() {
          try {
            const next = await iterator.next();
            if (next.done === true) end();
            else see(next.value);
            return next;
          } catch (error) {
            end(error instanceof Error ? error.message : String(error));
            throw error;
          }
        },
        async return() {
          end("the caller left");
          return (await iterator.return?.()) ?? { done: true, value: undefined };
        },
        ...(iterator.take !== undefined && { take: () => see(iterator.take?.()) }),
        ...(iterator.onReady !== undefined && {
          onReady: (reader: { wake(): void }) => iterator.onReady?.(reader),
        }),
        get isOver() {
          // Whoever reads this asks for nothing more.
          const isOver = iterator.isOver ?? false;
          if (isOver) end();
          return isOver;
        },
        get isLarge() {
          return iterator.isLarge ?? false;
        },
      };
      return watched;
    },
  };
}

const maxBody = 4 * 1024 * 1024;
