import type { AgentExtension } from "../protocol/index.js";
import type { HttpOptions, Mount } from "./hosted-agent.js";
import type { HttpRequest } from "./http-message.js";

/** One request to one agent, and what its answer depends on. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly mount: Mount;
  readonly options: HttpOptions;
  /** The path below the agent's base URL, beginning with a slash, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The protocol version the request names, if it does. */
  readonly version: string | undefined;
  /** The extensions that the agent's card declares. */
  readonly declared: readonly AgentExtension[];
}
