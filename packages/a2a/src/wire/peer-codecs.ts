import type { PeerCodec } from "./codec.js";
import { decodeHttpError, jsonRpcErrorDecoder } from "./decode-error.js";
import type { Dialect } from "./dialect.js";
import { codeOfJsonRpcNumber } from "./json-rpc-codes.js";
import { encodeRequest } from "./v1.0/requests.js";
import { decodePlainResult } from "./v1.0/plain-results.js";
import { decodeEvent } from "./v1.0/stream-response.js";

const current: PeerCodec = {
  dialect: "1.0",
  version: "1.0",
  encodeRequest,
  decodeResult: {
    ...decodePlainResult,
    getExtendedAgentCard: async (json, cursor) =>
      (await import("./v1.0/agent-card.js")).decodeAgentCard(json, cursor),
  },
  decodeEvent,
  decodeJsonRpcError: jsonRpcErrorDecoder(codeOfJsonRpcNumber),
  decodeHttpError,
};

/**
 * A client's half of a dialect's codec. Those before 1.0 are loaded when they are needed, so that
 * whoever speaks 1.0 does not carry them along.
 */
export async function loadPeerCodec(dialect: Dialect): Promise<PeerCodec> {
  if (dialect === "1.0") return current;
  const { earlierPeerCodecs } = await import("./earlier-peer-codecs.js");
  return earlierPeerCodecs[dialect];
}
