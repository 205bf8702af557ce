import type { PeerCodec } from "../codec.js";
import { versionOf } from "../dialect.js";
import { decodeHttpError, decodeJsonRpcError } from "../errors/decode-error.js";
import { methods } from "./methods.js";
import { requestEncoder } from "./encode-request.js";
import { decodeResult } from "./results.js";
import { shapes } from "./shape.js";
import type { SchemaDialect } from "./shape.js";
import { decodeEvent } from "./stream-response.js";

/** The client's half of the codec that `createCodec` creates. */
export function createPeerCodec(dialect: SchemaDialect): PeerCodec {
  return {
    dialect,
    version: versionOf(dialect),
    jsonRpcMethods: methods,
    encodeRequest: requestEncoder(shapes[dialect]),
    decodeResult,
    decodeEvent,
    decodeJsonRpcError,
    decodeHttpError,
  };
}
