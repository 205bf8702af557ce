import { operations } from "../protocol/internal.js";
import type { UnaryOperation } from "../protocol/internal.js";
import type { Cursor } from "../protocol/parse/internal.js";
import type { KnownIds, PeerCodec } from "./codec.js";
import type { Dialect } from "./dialect.js";
import { decodeHttpError, decodeJsonRpcError } from "./errors/decode-error.js";
import { decodeMethodResult } from "./method-call.js";
import { methods } from "./v1.0/methods.js";
import { encodeRequest } from "./v1.0/encode-request.js";
import { decodeEvent } from "./v1.0/stream-response.js";
import { decodeTaskResult } from "./v1.0/task-results.js";

/** Decoders of results that few clients ask for. Load the code when the first such result arrives. */
const decodeLater = Object.fromEntries(
  operations.map((operation) => [
    operation,
    async (...given: [json: unknown, cursor: Cursor, known: KnownIds]) => {
      const { decodeResult } = await import("./earlier-peer-codecs.js");
      return decodeResult[operation as UnaryOperation](...given);
    },
  ]),
) as PeerCodec["decodeResult"];

const current: PeerCodec = {
  dialect: "1.0",
  version: "1.0",
  jsonRpcMethods: methods,
  encodeRequest,
  decodeResult: {
    ...decodeLater,
    ...decodeTaskResult,
    deleteTaskPushNotificationConfig: () => undefined,
    callMethod: decodeMethodResult,
  },
  decodeEvent,
  decodeJsonRpcError,
  decodeHttpError,
};

/**
 * The client's half of a dialect's codec. The codecs before 1.0 are loaded on demand, so that a client
 * of a 1.0 agent never loads them.
 */
export async function loadPeerCodec(dialect: Dialect): Promise<PeerCodec> {
  if (dialect === "1.0") return current;
  const { earlierPeerCodecs } = await import("./earlier-peer-codecs.js");
  return earlierPeerCodecs[dialect];
}
