import type { Codec } from "../codec.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { errorCodec } from "./error.js";
import { methodAliases, methods } from "./methods.js";
import { decodePushPayload, encodePushPayload } from "./push-payload.js";
import { decodeRequest } from "./decode-request.js";
import { encodeRequest } from "./encode-request.js";
import { decodeResult, encodeResult, resultOfError } from "./results.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";

export const codec: Codec = {
  dialect: "0.1",
  version: "0.1",
  jsonRpcMethods: methods,
  jsonRpcMethodAliases: methodAliases,
  ...errorCodec,
  decodeRequest,
  encodeRequest,
  encodeResult,
  resultOfError,
  decodeResult,
  encodeEvent,
  decodeEvent,
  encodePushPayload: (_, task) => encodePushPayload(task),
  decodePushPayload,
  encodeAgentCard,
  decodeAgentCard,
};
