import type { Codec, EventPushCodec } from "./codec.js";
import type { Dialect } from "./dialect.js";
import { codec as oldest } from "./v0.1/codec.js";
import { codec as proto } from "./v0.3-proto/codec.js";
import { createCodec, createRestCodec } from "./v0.3/codec.js";
import { codec as current } from "./v1.0/codec.js";

/**
 * The codec of every dialect. For servers this is the registration of the versions: no other file that
 * they load imports a version folder. Clients have theirs in `peer-codecs.ts`, `earlier-peer-codecs.ts`
 * and `peer-card-decoders.ts`, so that they load no more than they use.
 */
export const codecs: Readonly<Record<Dialect, Codec>> &
  Readonly<Record<"0.3-schema" | "1.0", EventPushCodec>> = {
  "0.1": oldest,
  "0.1+0.3": {
    ...createCodec("0.1+0.3"),
    jsonRpcMethods: oldest.jsonRpcMethods,
    jsonRpcMethodAliases: oldest.jsonRpcMethodAliases,
    // Readers of 0.1 know fewer error numbers than readers of 0.3.
    encodeJsonRpcError: oldest.encodeJsonRpcError,
    decodeJsonRpcError: oldest.decodeJsonRpcError,
    encodeHttpError: oldest.encodeHttpError,
    decodeHttpError: oldest.decodeHttpError,
  },
  "0.3": createCodec("0.3"),
  "0.3+type": createCodec("0.3+type"),
  "0.3-schema": createRestCodec(),
  "0.3-proto": proto,
  "1.0": current,
};
