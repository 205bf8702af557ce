import type { Credentials, Principal } from "../protocol/internal.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";
import type { Host, Site } from "./site.js";

/** One request, and what its answer depends on. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly site: Site;
  readonly options: HttpOptions;
  /** The path below the site's, beginning with a slash, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The protocol version the request names, if it does. */
  readonly version: string | undefined;
  /** What the request shows of its caller. */
  readonly credentials: Credentials;
  /** Who is calling; asked once however often it is needed. */
  readonly principal: (host: Host) => Promise<Principal | undefined>;
}
