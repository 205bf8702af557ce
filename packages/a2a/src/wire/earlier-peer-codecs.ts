import type { PeerCodec } from "./codec.js";
import type { Dialect } from "./dialect.js";
import { peerCodec as oldest } from "./v0.1/peer-codec.js";
import { peerCodec as proto } from "./v0.3-proto/peer-codec.js";
import { createPeerCodec } from "./v0.3/peer-codec.js";

/** Reads the results of 1.0 that few clients ask for. Two files to load would weigh more than this one. */
export { decodeResult } from "./v1.0/results.js";

/** The clients' halves of the codecs before 1.0: the registration of the versions that clients load late. */
export const earlierPeerCodecs: Readonly<Record<Exclude<Dialect, "1.0">, PeerCodec>> = {
  "0.1": oldest,
  "0.1+0.3": {
    ...createPeerCodec("0.1+0.3"),
    jsonRpcMethods: oldest.jsonRpcMethods,
    decodeJsonRpcError: oldest.decodeJsonRpcError,
    decodeHttpError: oldest.decodeHttpError,
  },
  "0.3": createPeerCodec("0.3"),
  "0.3+type": createPeerCodec("0.3+type"),
  "0.3-schema": createPeerCodec("0.3-schema"),
  "0.3-proto": proto,
};
