import type { PeerCertificate } from "../protocol/internal.js";

/** What every binding knows of a request, apart from its message. */
export interface IncomingRequest {
  /** A header by its lower-case name, over gRPC the metadata; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** Aborted when the caller goes away. */
  readonly signal?: AbortSignal;
  readonly connection?: Connection;
}

/** The connection itself, whatever headers say. */
export interface Connection {
  /** The other end's address, which may be a proxy's. */
  readonly address?: string | undefined;
  /** The host and port at this end. */
  readonly localHost?: string;
  readonly isSecure?: boolean;
  /** The other end's certificate, if it has one that leads to a trusted authority. */
  readonly certificate?: PeerCertificate | undefined;
}
