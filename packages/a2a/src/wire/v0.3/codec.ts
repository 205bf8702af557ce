import type { Codec } from "../codec.js";
import { versionOf } from "../dialect.js";
import { decodeAgentCard, encodeAgentCard } from "./agent-card.js";
import { errorCodec } from "./error.js";
import { decodePushPayload, encodePushPayload } from "./push-payload.js";
import { decodeRequest, requestEncoder } from "./requests.js";
import { decodeResult, resultEncoder } from "./results.js";
import type { Shape } from "./shape.js";
import { decodeEvent, encodeEvent } from "./stream-response.js";

type SchemaDialect = "0.3" | "0.3+type" | "0.3-schema" | "0.1+0.3";

const shapes: Readonly<Record<SchemaDialect, Shape>> = {
  "0.3": { typeMember: false, alsoOldest: false, rest: false },
  "0.3+type": { typeMember: true, alsoOldest: false, rest: false },
  "0.3-schema": { typeMember: false, alsoOldest: false, rest: true },
  "0.1+0.3": { typeMember: true, alsoOldest: true, rest: false },
};

/** The dialects of the JSON schema: they read alike and write as their shape says. */
export function createCodec(dialect: SchemaDialect): Codec {
  const shape = shapes[dialect];
  return {
    dialect,
    version: versionOf(dialect),
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
