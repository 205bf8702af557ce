/**
 * The half that all bindings share. For servers: where agents are mounted, the context and the credentials of a
 * call, failures, and calling the service. For clients: what a transport does with a peer. Knows no sockets and
 * no encoding of its own; a binding adds these.
 */
export { authRule, bindingRules } from "./binding-rules.js";
export { createCachedEncoder, encodeOnce } from "./cached-encoder.js";
export type { EventEncoding } from "./cached-encoder.js";
export {
  createCallContext,
  invoke,
  invokeExtendedCard,
  isLarge,
  openStream,
  traceOf,
} from "./call.js";
export type { Call, Connection, IncomingRequest, OpenedStream } from "./call.js";
export { listOf, readHops, withoutMapping } from "./client-address.js";
export { RequestCredentials } from "./credentials.js";
export { failureOf, reportInternal } from "./failure.js";
export { fileBytesOf, tellTextFiles } from "./file-bytes.js";
export type { PeerFiles } from "./file-bytes.js";
export { grpcBoundRules } from "./grpc-bounds.js";
export type { GrpcBounds } from "./grpc-bounds.js";
export { agentFor, MountTable, unknownTenant } from "./mount-table.js";
export type { MountPoint, NamedAgent } from "./mount-table.js";
export { mountPath } from "./mount.js";
export { optionsOf } from "./options-of.js";
export type { BindingOptions, Mount, MountedAgent } from "./mount.js";
export {
  checkSize,
  createPeerCursor,
  defaultMaxAnswerBytes,
  knownIds,
  learnIds,
  refuseAnswer,
  setCallHeaders,
  tellExtensions,
  tooLarge,
  unanswered,
  unreachable,
  withDetails,
  withExcerpt,
  withTenant,
  withText,
} from "./peer.js";
export type { ReadLimit } from "./peer.js";
