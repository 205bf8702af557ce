import { A2AError, isStreaming } from "../../protocol/index.js";
import type { CallContext, StreamingOperation } from "../../protocol/index.js";
import { codecs, detectRest, parseJson } from "../../wire/index.js";
import type { Codec, DetectedRest, Dialect, RefusedRest } from "../../wire/index.js";
import { createCallContext, extensionHeaders } from "../call-context.js";
import { errorHeaders } from "../error-headers.js";
import { createEventEncoder } from "../event-encoder.js";
import type { Exchange } from "../exchange.js";
import type { HttpHeaders, HttpResponse } from "../http-message.js";
import { callOnce, checkContentType, findTaskOrigin, maxBodyBytes, openStream } from "../invoke.js";
import { openSse } from "../sse.js";

interface Called {
  readonly params: unknown;
  readonly codec: Codec;
  readonly call: CallContext;
}

/** Answers a REST request in the dialect of its path and body. */
export async function handleRest(exchange: Exchange): Promise<HttpResponse> {
  const detected = await detect(exchange);
  const codec = codecs[detected.dialect];
  if ("error" in detected) return errorResponse(detected.error, codec, detected.allowed);
  try {
    const { operation, params, dialect } = detected;
    const call = await createCallContext(exchange.request, dialect, exchange);
    const called = { params, codec, call };
    if (isStreaming(operation)) return await answerWithStream(exchange, called, operation);
    const result = await callOnce(exchange, called, operation);
    const headers = extensionHeaders(call);
    if (operation === "deleteTaskPushNotificationConfig") return { status: 204, headers };
    return {
      status: 200,
      headers: { "Content-Type": mediaType(codec), ...headers },
      body: JSON.stringify(result),
    };
  } catch (error) {
    return errorResponse(A2AError.from(error), codec);
  }
}

async function detect(exchange: Exchange): Promise<DetectedRest | RefusedRest> {
  const { request, options, path, query, version } = exchange;
  try {
    const rest = {
      httpMethod: request.method,
      path,
      query,
      version,
      body: await readBody(exchange),
      strictVersion: options.strictVersion ?? false,
      hasTenant: (name: string) => options.mounts.some(({ tenant }) => tenant === name),
    };
    const detected = detectRest(rest);
    if ("error" in detected || !detected.byOrigin) return detected;
    const taskOrigin = await findTaskOrigin(exchange, detected.dialect, detected.params);
    return taskOrigin === undefined ? detected : detectRest({ ...rest, taskOrigin });
  } catch (error) {
    const dialect: Dialect = path.startsWith("/v1/") ? "0.3-proto" : "1.0";
    return { error: A2AError.from(error), dialect };
  }
}

async function readBody(exchange: Exchange): Promise<unknown> {
  const { request } = exchange;
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const limit = maxBodyBytes(exchange);
  const bytes = await request.body(limit);
  if (bytes.byteLength === 0) return undefined;
  checkContentType(exchange, "application/a2a+json");
  return parseJson(bytes, { maxBodyBytes: limit }) ?? undefined;
}

async function answerWithStream(
  exchange: Exchange,
  called: Called,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, call } = called;
  const { heartbeatMs = 15_000 } = exchange.options;
  const { events, taskId } = openStream(exchange, called, operation);
  return openSse(events, {
    encodeEvent: createEventEncoder(codec, operation, taskId),
    encodeError: (error) => JSON.stringify(codec.encodeHttpError(error).body),
    headers: extensionHeaders(call),
    heartbeatMs,
  });
}

function errorResponse(error: A2AError, codec: Codec, allowed?: readonly string[]): HttpResponse {
  const { status, body } = codec.encodeHttpError(error);
  const headers: HttpHeaders = {
    "Content-Type": mediaType(codec),
    ...errorHeaders(error),
    ...(allowed !== undefined && { Allow: allowed.join(", ") }),
  };
  return { status: allowed === undefined ? status : 405, headers, body: JSON.stringify(body) };
}

function mediaType({ version }: Codec): string {
  return version === "1.0" ? "application/a2a+json" : "application/json";
}
