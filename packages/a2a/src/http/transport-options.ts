import type { Dialect } from "../wire/internal.js";

/** The part of `fetch` that transports use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Which interface a transport calls, and in which dialect. */
export interface TransportOptions {
  /** The URL of the interface, as the card lists it. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly fetch?: Fetch;
  /** The tenant of the interface, sent in every request. */
  readonly tenant?: string;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
}
