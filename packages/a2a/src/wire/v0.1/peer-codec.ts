import type { PeerCodec } from "../codec.js";
import { decodeHttpError } from "../errors/decode-error.js";
import { decodeJsonRpcError } from "./error.js";
import { methods } from "./methods.js";
import { encodeRequest } from "./encode-request.js";
import { decodeResult } from "./results.js";
import { decodeEvent } from "./stream-response.js";

/** The client's half of the codec. */
export const peerCodec: PeerCodec = {
  dialect: "0.1",
  version: "0.1",
  jsonRpcMethods: methods,
  encodeRequest,
  decodeResult,
  decodeEvent,
  decodeJsonRpcError,
  decodeHttpError,
};
