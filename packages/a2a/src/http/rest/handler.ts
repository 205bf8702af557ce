import { invoke, openStream } from "../../binding/internal.js";
import type { Call } from "../../binding/internal.js";
import { isStreaming } from "../../protocol/internal.js";
import type { A2AError, Operation, StreamingOperation } from "../../protocol/internal.js";
import { codecs, detectRest, parseJson } from "../../wire/internal.js";
import type { Codec, DetectedRest, RefusedRest } from "../../wire/internal.js";
import { answerExtendedCard } from "../cards/extended-card.js";
import { extendedCardPath } from "../cards/find-card.js";
import {
  afterParsing,
  bodyLimit,
  checkContentType,
  failureIn,
  failuresIn,
  findCreatedIn,
  openCall,
  refusalOf,
} from "../exchange.js";
import type { Exchange } from "../exchange.js";
import type { HttpHeaders, HttpResponse } from "../http-message.js";
import { largeResponse } from "../large/large-response.js";
import { extensionHeaders } from "../response-headers.js";
import { EventEncoder } from "../sse/event-encoder.js";
import { openSse, patienceFor } from "../sse/open-sse.js";
import type { SseEncoding } from "../sse/sse-frames.js";
import { answerTypeOf } from "./answer-type.js";
import { encodeError, encodeErrorBody } from "./error-map.js";

/** Answers a REST request in the dialect of its path and body. */
export async function handleRest(exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange;
  const detected = await detect(exchange);
  const codec = codecs[detected.dialect];
  if ("error" in detected) {
    return encodeError(detected.error, { request, codec, allowed: detected.allowed });
  }
  try {
    const { operation, params, dialect } = detected;
    const call = await openCall(exchange, dialect, params);
    if (isStreaming(operation)) return await answerWithStream(exchange, call, operation);
    const result = await (operation === "getExtendedAgentCard"
      ? answerExtendedCard(exchange, call)
      : invoke(call, operation));
    const headers = { ...cacheHeaders(operation), ...extensionHeaders(call.context) };
    if (hasNoBody(operation, codec)) return { status: 204, headers };
    const typed = { "Content-Type": answerTypeOf(codec.version, request), ...headers };
    const answer = exchange.large;
    if (answer !== undefined) {
      const name = `${dialect} ${operation}`;
      return await largeResponse({ answer, name, result, headers: typed });
    }
    return { status: 200, headers: typed, body: JSON.stringify(isDelete(operation) ? {} : result) };
  } catch (error) {
    exchange.large?.release();
    const failure = failureIn(exchange, error);
    const status = isMissingCard(exchange, failure) ? 404 : undefined;
    return encodeError(failure, { request, codec, status });
  }
}

/** From 1.0 on every answer has a body: some clients decode one whatever the status is. */
function hasNoBody(operation: Operation, { version }: Codec): boolean {
  return isDelete(operation) && version !== "1.0";
}

function isDelete(operation: Operation): boolean {
  return operation === "deleteTaskPushNotificationConfig";
}

/** In 0.2 the extended card is a document, so an agent without one answers that it is not found. */
function isMissingCard({ path }: Exchange, { code }: A2AError): boolean {
  const isWithoutCard =
    code === "UNSUPPORTED_OPERATION" || code === "EXTENDED_AGENT_CARD_NOT_CONFIGURED";
  return isWithoutCard && path === extendedCardPath;
}

/** Detects the dialect by the path first: it decides in which dialect to refuse a broken body. */
async function detect(exchange: Exchange): Promise<DetectedRest | RefusedRest> {
  const { request, options, path, query, version, point } = exchange;
  const rest = {
    httpMethod: request.method,
    path,
    query,
    version,
    body: undefined,
    strict: options.strict ?? false,
    extensionMethods: point.methods,
    hasTenant: (name: string) => point.agents.some(({ tenant }) => tenant === name),
  };
  const byPath = detectRest(rest);
  if ("error" in byPath) return refused(exchange, byPath);
  const checking = refusalOf(exchange);
  const refusal = checking && (await checking);
  try {
    const body = request.method === "POST" ? await readBody(exchange, refusal) : undefined;
    const whole = { ...rest, body };
    const detected = body === undefined ? byPath : detectRest(whole);
    if (refusal !== undefined) {
      return { error: failureIn(exchange, refusal), dialect: detected.dialect };
    }
    if ("error" in detected) return refused(exchange, detected);
    if (!detected.needsCreatedIn) return detected;
    const createdIn = await findCreatedIn(exchange, detected.dialect, detected.params);
    return createdIn === undefined ? detected : detectRest({ ...whole, createdIn });
  } catch (error) {
    return { error: failureIn(exchange, refusal ?? error), dialect: byPath.dialect };
  }
}

function refused(exchange: Exchange, refusal: RefusedRest): RefusedRest {
  return { ...refusal, error: failureIn(exchange, refusal.error) };
}

async function readBody(exchange: Exchange, refusal: unknown): Promise<unknown> {
  const limit = bodyLimit(exchange, refusal);
  const bytes = await exchange.request.body(limit);
  if (bytes.byteLength === 0) return undefined;
  checkContentType(exchange, "application/a2a+json");
  const document = parseJson(bytes, exchange.options.limits) ?? undefined;
  const pause = afterParsing(exchange, bytes);
  if (pause !== undefined) await pause;
  return document;
}

async function answerWithStream(
  exchange: Exchange,
  call: Call,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, context } = call;
  const { options } = exchange;
  const opened = await openStream(call, operation);
  const encoder = new EventEncoder(codec, operation, opened);
  return openSse(opened.events, {
    encoding: encodingFor(codec, encoder, failuresIn(exchange)),
    headers: extensionHeaders(context),
    heartbeatMs: options.heartbeatMs,
    patienceMs: patienceFor(context),
  });
}

/** How a stream is written. Apart from whoever opens it, so that a stream keeps nothing of its request. */
function encodingFor(
  codec: Codec,
  encoder: SseEncoding["encoder"],
  failureOf: SseEncoding["failureOf"],
): SseEncoding {
  return { encoder, encodeError: (error) => encodeErrorBody(error, codec), failureOf };
}

/** The content of an extended card may depend on its reader (§13.3). */
function cacheHeaders(operation: Operation): HttpHeaders {
  if (operation !== "getExtendedAgentCard") return {};
  return { "Cache-Control": "private, no-cache", Vary: "Authorization, A2A-Version, Accept" };
}
