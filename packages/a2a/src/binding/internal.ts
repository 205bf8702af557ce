/**
 * The half that all bindings share. For servers: where agents are mounted, the context and the credentials of a
 * call, failures, and calling the service. For clients: what a transport does with a peer. Knows no sockets and
 * no encoding of its own; a binding adds these.
 */
export { optionsOf } from "./binding-options.js";
export type { BindingOptions } from "./binding-options.js";
export { byTurn } from "./by-turn.js";
export { createCachedEncoder } from "./cached-encoder.js";
export { createCallContext } from "./call-context.js";
export { listOf, readHops, withoutMapping } from "./client-address.js";
export { RequestCredentials } from "./credentials.js";
export { failureOf, reportedFailure } from "./failure.js";
export type { Connection, IncomingRequest } from "./incoming-request.js";
export { invoke, invokeExtendedCard, openStream } from "./invoke.js";
export type { Call, OpenedStream } from "./invoke.js";
export { agentFor, MountTable, unknownTenant } from "./mount-table.js";
export type { MountPoint, NamedAgent } from "./mount-table.js";
export type { Mount, MountedAgent } from "./mount.js";
export {
  createPeerCursor,
  knownIds,
  learnIds,
  setCallHeaders,
  tellExtensions,
  unreachable,
  withDetails,
  withExcerpt,
  withTenant,
  withText,
} from "./peer.js";
