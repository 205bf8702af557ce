import type { Codec, EventPushCodec } from "../codec.js";
import { versionOf } from "../dialect.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { errorCodec } from "./error.js";
import { methodAliases, methods } from "./methods.js";
import { decodePushPayload, encodePushEvent, encodePushPayload } from "./push-payload.js";
import { decodeRequest } from "./decode-request.js";
import { requestEncoder } from "./encode-request.js";
import { decodeResult, resultEncoder } from "./results.js";
import { shapes } from "./shape.js";
import type { SchemaDialect } from "./shape.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";

/** Creates the codec of a JSON-schema dialect. They all decode alike and encode as their shape says. */
export function createCodec(dialect: SchemaDialect): Codec {
  const shape = shapes[dialect];
  return {
    dialect,
    version: versionOf(dialect),
    jsonRpcMethods: methods,
    jsonRpcMethodAliases: methodAliases,
    ...errorCodec,
    decodeRequest,
    encodeRequest: requestEncoder(shape),
    encodeResult: resultEncoder(shape),
    decodeResult,
    encodeEvent: (response, context) => encodeEvent(response, context, shape),
    decodeEvent,
    encodePushPayload: (_, task) => encodePushPayload(task, shape),
    decodePushPayload,
    encodeAgentCard,
    decodeAgentCard,
  };
}

/** Creates the codec of REST, whose push notifications carry events. */
export function createRestCodec(): EventPushCodec {
  return {
    ...createCodec("0.3-schema"),
    encodePushPayload: (response) => encodePushEvent(response, shapes["0.3-schema"]),
  };
}
