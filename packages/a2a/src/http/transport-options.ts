import type { Limits } from "../protocol/internal.js";
import type { Dialect } from "../wire/internal.js";

/** What a client's transport needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Which interface a transport calls, and in which dialect. */
export interface TransportOptions {
  /** The URL of the interface. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly fetch?: Fetch;
  /** The interface's tenant, echoed in every request. */
  readonly tenant?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is read from peers is bounded by their connection, not by the limits for callers. */
export const peerLimits: Limits = {
  maxBodyBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.MAX_SAFE_INTEGER,
  maxJsonDepth: 500,
  maxIdLength: 4096,
};
