import { failureOf } from "../binding/internal.js";
import type { MountedAgent, MountPoint } from "../binding/internal.js";
import type { A2AError, Credentials, Principal } from "../protocol/internal.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpRequest } from "./http-message.js";

/** One request, and what its answer depends on. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly options: HttpOptions;
  /** Where the request has arrived. */
  readonly point: MountPoint;
  /** The path below that of the mount point, beginning with a slash, as it was sent. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The protocol version that the request names, if it names one. */
  readonly version: string | undefined;
  /** Absent where no agent authenticates its callers. */
  readonly credentials: Credentials | undefined;
  /** Authenticates the caller; only once, however often it is called. */
  readonly authenticate: (agent: MountedAgent) => Promise<Principal | undefined>;
  /** The agent that the call is for, once the parameters have told. */
  agent?: MountedAgent;
}

/** The error that the caller gets for something thrown. */
export function failureIn({ agent, point, options }: Exchange, error: unknown): A2AError {
  return failureOf(error, agent === undefined ? point.agents : [agent], options);
}
