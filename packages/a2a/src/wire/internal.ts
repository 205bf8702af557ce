/**
 * The wire: translates the JSON of every published version to and from the model, and detects the version
 * of a request. Pure functions over values; no sockets, no clocks, no storage.
 *
 * Each version has a folder, and imports none of the others. What versions have in common is in `members`,
 * `errors` and `card`. `codecs.ts` and the `peer-` files register the versions; no other file imports their
 * folders. `detect` and `rest` know requests and paths.
 */
export { Cursor } from "../protocol/parse/internal.js";
export { codecs } from "./codecs.js";
export { loadPeerCodec } from "./peer-codecs.js";
export type { Codec, ErrorCodec, KnownIds, PeerCodec } from "./codec.js";
export { decodePush } from "./decode-push.js";
export { encodePush } from "./encode-push.js";
export { versionOf } from "./dialect.js";
export type { Dialect, GrpcVersion } from "./dialect.js";

export { parseJson } from "./detect/parse-json.js";
export {
  encodeJsonRpcErrorResponse,
  encodeJsonRpcRequest,
  parseJsonRpcRequest,
  parseJsonRpcResponse,
  requestId,
} from "./detect/json-rpc-envelope.js";
export type { JsonRpcId, JsonRpcRequest } from "./detect/json-rpc-envelope.js";
export { isAtLeastVersion1, majorMinor, requestedVersion, versionParameter } from "./version.js";
export {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  requestedExtensions,
  requestExtensionHeaders,
} from "./extensions.js";
export { detectJsonRpc } from "./detect/detect-json-rpc.js";
export { detectRest } from "./detect/detect-rest.js";
export type { DetectedRest, RefusedRest } from "./detect/detect-rest.js";
export { detectGrpc, grpcMethodAliases } from "./detect/detect-grpc.js";
export { packMethodParams } from "./method-call.js";
export { buildRestRequest } from "./rest/build-rest-request.js";
export { isDiscoveryPath } from "./card/discovery-path.js";
export { decodeHttpError } from "./errors/decode-error.js";
export { decodeGrpcError, encodeGrpcError } from "./errors/grpc-error.js";
export { nameCallersFields } from "./members/push-fields.js";
export { configName, parseResourceName, taskName } from "./members/resource-name.js";
export { withTextFiles } from "./members/text-files.js";
export { cardFormFor, encodeCardForm } from "./card-forms.js";
export type { CardForm } from "./card-forms.js";
export type { CardPath } from "./card/card-version.js";
export { decodeAgentCard } from "./decode-agent-card.js";
