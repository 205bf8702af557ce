import type { Limits } from "../protocol/index.js";
import type { Dialect } from "../wire/index.js";

/** What a client's transport needs of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  /** The URL of the interface. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly fetch?: Fetch;
  /** The interface's tenant, echoed in every request. */
  readonly tenant?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Hears of every answer's headers: which extensions are active, among others. */
  readonly onResponse?: (response: Response) => void;
  /** Hears that a stream gave a sign of life, comments included. */
  readonly onActivity?: () => void;
}

/** What is read from peers is bounded by their connection, not by the limits for callers. */
export const peerLimits: Limits = {
  maxBodyBytes: Number.MAX_SAFE_INTEGER,
  maxParts: Number.MAX_SAFE_INTEGER,
  maxJsonDepth: 500,
  maxIdLength: 4096,
};
