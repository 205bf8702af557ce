import type { EventPushCodec } from "../codec.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { errorCodec } from "./error.js";
import { methodAliases, methods } from "./methods.js";
import { decodePushPayload, encodePushPayload } from "./push-payload.js";
import { decodeRequest } from "./decode-request.js";
import { encodeRequest } from "./encode-request.js";
import { decodeResult, encodeResult } from "./results.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";

export const codec: EventPushCodec = {
  dialect: "1.0",
  version: "1.0",
  jsonRpcMethods: methods,
  jsonRpcMethodAliases: methodAliases,
  ...errorCodec,
  decodeRequest,
  encodeRequest,
  encodeResult,
  decodeResult,
  encodeEvent,
  decodeEvent,
  encodePushPayload,
  decodePushPayload,
  encodeAgentCard,
  decodeAgentCard,
};
