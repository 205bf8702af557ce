import type { PeerCodec } from "./codec.js";
import type { Dialect } from "./dialect.js";
import { errorCodec as oldestErrors } from "./v0.1/error.js";
import { methods as oldestMethods } from "./v0.1/methods.js";
import { encodeRequest as encodeOldest } from "./v0.1/requests.js";
import { decodeResult as decodeOldest } from "./v0.1/results.js";
import { decodeEvent as decodeOldestEvent } from "./v0.1/stream-response.js";
import { errorCodec as protoErrors } from "./v0.3-proto/error.js";
import { encodeRequest as encodeProto } from "./v0.3-proto/requests.js";
import { decodeResult as decodeProto } from "./v0.3-proto/results.js";
import { decodeEvent as decodeProtoEvent } from "./v0.3-proto/stream-response.js";
import { methods } from "./v0.3/methods.js";
import { createPeerCodec } from "./v0.3/peer-codec.js";

/** What reads the answers of 1.0 that few clients ask for; loaded with the rest, or both would weigh more. */
export { decodeResult } from "./v1.0/results.js";

/** The clients' halves of the codecs before 1.0. */
export const earlierPeerCodecs: Readonly<Record<Exclude<Dialect, "1.0">, PeerCodec>> = {
  "0.1": {
    dialect: "0.1",
    version: "0.1",
    jsonRpcMethods: oldestMethods,
    encodeRequest: encodeOldest,
    decodeResult: decodeOldest,
    decodeEvent: decodeOldestEvent,
    decodeJsonRpcError: oldestErrors.decodeJsonRpcError,
    decodeHttpError: oldestErrors.decodeHttpError,
  },
  "0.1+0.3": {
    ...createPeerCodec("0.1+0.3"),
    jsonRpcMethods: oldestMethods,
    decodeJsonRpcError: oldestErrors.decodeJsonRpcError,
    decodeHttpError: oldestErrors.decodeHttpError,
  },
  "0.3": createPeerCodec("0.3"),
  "0.3+type": createPeerCodec("0.3+type"),
  "0.3-schema": createPeerCodec("0.3-schema"),
  "0.3-proto": {
    dialect: "0.3-proto",
    version: "0.3",
    jsonRpcMethods: methods,
    encodeRequest: encodeProto,
    decodeResult: decodeProto,
    decodeEvent: decodeProtoEvent,
    decodeJsonRpcError: protoErrors.decodeJsonRpcError,
    decodeHttpError: protoErrors.decodeHttpError,
  },
};
