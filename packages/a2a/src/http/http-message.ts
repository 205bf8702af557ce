import type { PeerCertificate } from "../protocol/internal.js";

/**
 * The least that a binding needs of HTTP. Every runtime adapts to this: `Request` and `Response` where
 * they are at home, node's own objects where the detour through them would cost more than the work.
 */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent, beginning with a slash. */
  readonly target: string;
  /** Where a framework has mounted the handler, if that is already taken off the target. */
  readonly basePath?: string;
  /** A header by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** The body, or a rejection with `REQUEST_TOO_LARGE` once it exceeds the limit. */
  body(maxBytes: number): Promise<Uint8Array>;
  /** Aborted when the caller goes away. */
  readonly signal?: AbortSignal;
  readonly connection?: Connection;
}

/** The connection itself, whatever headers say. */
interface Connection {
  /** The other end's address, which may be a proxy's. */
  readonly address?: string;
  /** The host and port at this end. */
  readonly localHost?: string;
  readonly isSecure?: boolean;
  /** The other end's certificate, if it has one that leads to a trusted authority. */
  readonly certificate?: PeerCertificate;
}

export type HttpHeaders = Readonly<Record<string, string>>;

/** An answer that is there as a whole. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body?: string;
}

/** An answer that comes piece by piece. Leaving the iterator ends the work behind it. */
export interface StreamedResponse {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly stream: AsyncIterable<string>;
  /** What to send, and how often, while nothing else is sent. */
  readonly heartbeat: { readonly text: string; readonly everyMs: number };
}

/** An answer: complete, or streamed piece by piece. */
export type HttpResponse = WholeResponse | StreamedResponse;

/** Answers every request; never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;
