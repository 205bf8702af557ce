import type { IncomingRequest } from "../binding/internal.js";
import type { TraceContext } from "../protocol/internal.js";

/**
 * The least that the HTTP bindings need of a request. Every runtime adapts to this: from `Request` where that is
 * native, from node's own objects where a detour through `Request` would cost more than the work.
 */
export interface HttpRequest extends IncomingRequest {
  readonly method: string;
  /** Path and query as sent, beginning with a slash. */
  readonly target: string;
  /** The path at which a framework has mounted the handler, if the framework has removed it from the target. */
  readonly basePath?: string;
  /**
   * The trace of the code that the request came to, `null` for none. For runtimes that go on with several requests
   * together; absent: the trace of the code that runs now.
   */
  readonly around?: TraceContext | null;
  /** The body, without a promise if it is here; throws or rejects with `REQUEST_TOO_LARGE` once it exceeds the limit. */
  body(maxBytes: number): Uint8Array | Promise<Uint8Array>;
}

export type HttpHeaders = Readonly<Record<string, string>>;

/** An answer whose body is there as a whole. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string;
}

/** An answer whose body comes piece by piece. Leaving the iterator ends the watching behind it. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  /** Bytes may be shared with other answers. */
  readonly stream: AsyncIterable<string | Uint8Array, undefined>;
  /** The text to send, and how often, while the stream is silent. */
  readonly heartbeat?: { readonly text: string; readonly everyMs: number };
}

/** Pieces that some streams let be taken without waiting, as `EventIterator` does with events. */
export interface PieceIterator extends AsyncIterator<string | Uint8Array, undefined> {
  take?(): string | Uint8Array | undefined;
  onReady?(reader: { wake(): void }): void;
  readonly isOver?: boolean;
  /** True while the pieces are those of a large answer, which takes up memory until they are read. */
  readonly isLarge?: boolean;
}

/** An answer: complete, or streamed piece by piece. */
export type HttpResponse = WholeResponse | StreamedResponse;

/** Answers every request; never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
