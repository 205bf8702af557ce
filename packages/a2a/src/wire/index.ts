/**
 * The wire: the JSON of every published version to and from the model, and which of them a request is
 * written in. Pure functions over values; no sockets, no clocks, no storage.
 */
export { Cursor } from "../protocol/parse/internal.js";
export type { CursorOptions, Parser } from "../protocol/parse/internal.js";

export { codecs } from "./codecs.js";
export { loadPeerCodec } from "./peer-codecs.js";
export type {
  Codec,
  ErrorCodec,
  EventContext,
  HttpError,
  JsonRpcError,
  KnownIds,
  PeerCodec,
  PushPayload,
} from "./codec.js";
export { decodePush } from "./decode-push.js";
export type { DecodedPush } from "./decode-push.js";
export { encodePush } from "./encode-push.js";
export { versionOf } from "./dialect.js";
export type { Dialect, GrpcVersion } from "./dialect.js";

export { parseJson } from "./detect/parse-json.js";
export {
  encodeJsonRpcErrorResponse,
  encodeJsonRpcRequest,
  encodeJsonRpcResult,
  parseJsonRpcRequest,
  parseJsonRpcResponse,
  requestId,
} from "./detect/json-rpc-envelope.js";
export type { JsonRpcId, JsonRpcRequest, JsonRpcResponse } from "./detect/json-rpc-envelope.js";
export { jsonRpcMethod } from "./detect/json-rpc-method.js";

export { isAtLeastVersion1, parseVersion, requestedVersion, versionParameter } from "./version.js";
export type { VersionSources } from "./version.js";
export {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  requestedExtensions,
  requestExtensionHeaders,
} from "./extensions.js";
export type { ExtensionHeader } from "./extensions.js";

export { detectJsonRpc } from "./detect/detect-json-rpc.js";
export type { JsonRpcCall } from "./detect/detect-json-rpc.js";
export { detectRest } from "./detect/detect-rest.js";
export type { DetectedRest, RefusedRest, RestCall } from "./detect/detect-rest.js";
export { detectGrpc, grpcMethodAliases } from "./detect/detect-grpc.js";
export type { DetectedGrpc, GrpcCall } from "./detect/detect-grpc.js";
export type { Detected, Refused } from "./detect/detected.js";
export { buildRestRequest } from "./rest/build-rest-request.js";
export type { RestRequest } from "./rest/build-rest-request.js";
export { discoveryPaths, isDiscoveryPath } from "./card/discovery-path.js";
export type { DiscoveryPath } from "./card/discovery-path.js";

export { decodeGrpcError, encodeGrpcError } from "./errors/grpc-error.js";
export type { GrpcError } from "./errors/grpc-error.js";
export { grpcStatusCodes, grpcStatuses } from "./errors/grpc-statuses.js";
export type { GrpcStatus } from "./errors/grpc-statuses.js";
export { configName, parseResourceName, taskName } from "./members/resource-name.js";
export type { ResourceIds } from "./members/resource-name.js";

export { cardFormFor, encodeCardForm } from "./card-forms.js";
export type { CardForm } from "./card-forms.js";
export { inferCardVersion } from "./card/card-version.js";
export type { CardPath } from "./card/card-version.js";
export { decodeAgentCard } from "./decode-agent-card.js";
export type { DecodeAgentCardOptions } from "./decode-agent-card.js";
export { canonicalForms, canonicalizeAgentCard } from "./card/card-canonical.js";
export type { CanonicalForm } from "./card/card-canonical.js";
export {
  addSignature,
  signAgentCard,
  signatureAlgorithms,
  verifyAgentCard,
} from "./card/card-signature.js";
export type {
  CardKey,
  CardVerification,
  SignAgentCardOptions,
  SignatureAlgorithm,
  SignatureHeader,
  VerifyAgentCardOptions,
} from "./card/card-signature.js";
