import { isStreaming } from "../../protocol/internal.js";
import type {
  A2AError,
  JsonObject,
  Operation,
  StreamingOperation,
} from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import { codecs, detectRest, parseJson } from "../../wire/internal.js";
import type { Codec, DetectedRest, RefusedRest } from "../../wire/internal.js";
import { extensionHeaders } from "../call-context.js";
import { errorHeaders } from "../error-headers.js";
import { createEventEncoder } from "../event-encoder.js";
import type { Exchange } from "../exchange.js";
import { failureOf } from "../failure.js";
import type { HttpHeaders, HttpResponse } from "../http-message.js";
import { callOnce, checkContentType, findTaskOrigin, openCall, openStream } from "../invoke.js";
import type { Call } from "../invoke.js";
import { bodyLimit, refusalOf } from "../refusal.js";
import { openSse, patienceFor } from "../sse.js";

/** Answers a REST request in the dialect of its path and body. */
export async function handleRest(exchange: Exchange): Promise<HttpResponse> {
  const detected = await detect(exchange);
  const codec = codecs[detected.dialect];
  if ("error" in detected) return errorResponse(detected.error, codec, detected.allowed);
  try {
    const { operation, params, dialect } = detected;
    const call = await openCall(exchange, dialect, params);
    if (isStreaming(operation)) return await answerWithStream(exchange, call, operation);
    const result = await callOnce(exchange, call, operation);
    const headers = { ...cacheHeaders(operation), ...extensionHeaders(call.context) };
    if (operation === "deleteTaskPushNotificationConfig") return { status: 204, headers };
    return {
      status: 200,
      headers: { "Content-Type": mediaType(codec), ...headers },
      body: JSON.stringify(result),
    };
  } catch (error) {
    const failure = failureOf(error, exchange);
    const response = errorResponse(failure, codec);
    return isMissingCard(exchange, failure) ? { ...response, status: 404 } : response;
  }
}

/** In 0.2 the extended card is no operation but a document, and one that is not there is not found. */
function isMissingCard({ path }: Exchange, { code }: A2AError): boolean {
  const isOldest = path === "/agent/authenticatedExtendedCard";
  return (
    isOldest && (code === "UNSUPPORTED_OPERATION" || code === "EXTENDED_AGENT_CARD_NOT_CONFIGURED")
  );
}

/** The path is looked at before the body, and tells in which dialect to speak of a broken one. */
async function detect(exchange: Exchange): Promise<DetectedRest | RefusedRest> {
  const { request, options, path, query, version, site } = exchange;
  const rest = {
    httpMethod: request.method,
    path,
    query,
    version,
    body: undefined,
    strictVersion: options.strictVersion ?? false,
    hasTenant: (name: string) => site.hosts.some(({ mount }) => mount.tenant === name),
  };
  const byPath = detectRest(rest);
  if ("error" in byPath) return byPath;
  const checking = refusalOf(exchange);
  const refusal = checking && (await checking);
  try {
    const body = request.method === "POST" ? await readBody(exchange, refusal) : undefined;
    const whole = { ...rest, body };
    const detected = body === undefined ? byPath : detectRest(whole);
    if (refusal !== undefined) {
      return { error: failureOf(refusal, exchange), dialect: detected.dialect };
    }
    if ("error" in detected || !detected.byOrigin) return detected;
    const taskOrigin = await findTaskOrigin(exchange, detected.dialect, detected.params);
    return taskOrigin === undefined ? detected : detectRest({ ...whole, taskOrigin });
  } catch (error) {
    return { error: failureOf(refusal ?? error, exchange), dialect: byPath.dialect };
  }
}

async function readBody(exchange: Exchange, refusal: unknown): Promise<unknown> {
  const limit = bodyLimit(exchange, refusal);
  const bytes = await exchange.request.body(limit);
  if (bytes.byteLength === 0) return undefined;
  checkContentType(exchange, "application/a2a+json");
  return parseJson(bytes, { maxBodyBytes: limit }) ?? undefined;
}

async function answerWithStream(
  exchange: Exchange,
  call: Call,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, context } = call;
  const { options } = exchange;
  const opened = await openStream(exchange, call, operation);
  return openSse(opened.events, {
    encodeEvent: createEventEncoder(codec, operation, opened),
    encodeError: (error) => JSON.stringify(codec.encodeHttpError(error).body),
    failureOf: (error) => failureOf(error, exchange),
    headers: extensionHeaders(context),
    heartbeatMs: options.heartbeatMs,
    patienceMs: patienceFor(context),
  });
}

function errorResponse(error: A2AError, codec: Codec, allowed?: readonly string[]): HttpResponse {
  const { status, body } = codec.encodeHttpError(error);
  const headers: HttpHeaders = {
    "Content-Type": mediaType(codec),
    ...errorHeaders(error),
    ...(allowed !== undefined && { Allow: allowed.join(", ") }),
  };
  if (allowed === undefined) return { status, headers, body: JSON.stringify(body) };
  return { status: 405, headers, body: JSON.stringify(withStatus(body, 405)) };
}

/** The body of a 1.0 error repeats the status of its response (§11.6). */
function withStatus(body: JsonObject, status: number): JsonObject {
  const { error } = body;
  return isJsonObject(error) ? { ...body, error: { ...error, code: status } } : body;
}

/** What an extended card says may depend on who reads it (§13.3). */
function cacheHeaders(operation: Operation): HttpHeaders {
  if (operation !== "getExtendedAgentCard") return {};
  return { "Cache-Control": "private, no-cache", Vary: "Authorization, A2A-Version" };
}

function mediaType({ version }: Codec): string {
  return version === "1.0" ? "application/a2a+json" : "application/json";
}
