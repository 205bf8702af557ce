import type { PeerCodec } from "../codec.js";
import { decodeHttpError, decodeJsonRpcError } from "../errors/decode-error.js";
import { methods } from "./methods.js";
import { encodeRequest } from "./encode-request.js";
import { decodeResult } from "./results.js";
import { decodeEvent } from "./stream-response.js";

/** The client's half of the codec. */
export const peerCodec: PeerCodec = {
  dialect: "0.3-proto",
  version: "0.3",
  jsonRpcMethods: methods,
  encodeRequest,
  decodeResult,
  decodeEvent,
  decodeJsonRpcError,
  decodeHttpError,
};
