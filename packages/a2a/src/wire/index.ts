/**
 * The JSON of every published version, to and from the model, for programs that translate or inspect it. Pure
 * functions over values; no sockets, no clocks, no storage.
 */

// Translate between the model and a version
export { codecs } from "./codecs.js";
export type { Codec } from "./codec.js";
export type { Dialect } from "./dialect.js";
export { Cursor } from "../protocol/parse/internal.js";

// Recognize a request
export { parseJson } from "./detect/parse-json.js";
export { detectJsonRpc } from "./detect/detect-json-rpc.js";
export { detectRest } from "./detect/detect-rest.js";
export type { DetectedRest, RefusedRest } from "./detect/detect-rest.js";
export type { Detected, Refused } from "./detect/detected.js";

// Envelopes and requests
export {
  encodeJsonRpcErrorResponse,
  encodeJsonRpcRequest,
  encodeJsonRpcResult,
  parseJsonRpcRequest,
  parseJsonRpcResponse,
} from "./detect/json-rpc-envelope.js";
export type { JsonRpcId, JsonRpcRequest, JsonRpcResponse } from "./detect/json-rpc-envelope.js";
export { jsonRpcMethod } from "./detect/json-rpc-method.js";
export { buildRestRequest } from "./rest/build-rest-request.js";
export type { RestRequest } from "./rest/build-rest-request.js";

// Agent cards
export { decodeAgentCard } from "./decode-agent-card.js";
export { encodeCardForm } from "./card-forms.js";
export type { CardForm } from "./card-forms.js";
export { inferCardVersion } from "./card/card-version.js";

// Signatures of agent cards
export { addSignature, signAgentCard, verifyAgentCard } from "./card/card-signature.js";
export type { CardVerification } from "./card/card-signature.js";

// Push notifications
export { decodePush } from "./decode-push.js";
export type { DecodedPush } from "./decode-push.js";
