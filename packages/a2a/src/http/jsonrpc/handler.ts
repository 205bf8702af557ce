import { A2AError, isStreaming } from "../../protocol/index.js";
import type { CallContext, StreamingOperation } from "../../protocol/index.js";
import {
  codecs,
  detectJsonRpc,
  encodeJsonRpcErrorResponse,
  parseJson,
  parseJsonRpcRequest,
  requestId,
} from "../../wire/index.js";
import type { Codec, Detected, Dialect, JsonRpcId, JsonRpcRequest } from "../../wire/index.js";
import { createCallContext, extensionHeaders } from "../call-context.js";
import { createEventEncoder } from "../event-encoder.js";
import type { Exchange } from "../exchange.js";
import type { HttpHeaders, HttpResponse } from "../http-message.js";
import { callOnce, checkContentType, findTaskOrigin, maxBodyBytes, openStream } from "../invoke.js";
import { errorAsSse, openSse } from "../sse.js";
import type { SseEncoding } from "../sse.js";
import { transportStatus } from "./transport-status.js";

const json: HttpHeaders = { "Content-Type": "application/json" };

interface Called {
  readonly id: JsonRpcId;
  readonly params: unknown;
  readonly codec: Codec;
  readonly call: CallContext;
}

/** Answers a JSON-RPC request in the dialect it is written in. */
export async function handleJsonRpc(exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange;
  let id: JsonRpcId = null;
  let dialect: Dialect = "0.3";
  try {
    checkContentType(exchange, "application/json");
    const limit = maxBodyBytes(exchange);
    const document = parseJson(await request.body(limit), { maxBodyBytes: limit });
    id = requestId(document);
    const rpc = parseJsonRpcRequest(document);
    const detected = await detect(exchange, rpc);
    dialect = detected.dialect;
    if ("error" in detected) throw detected.error;
    const codec = codecs[dialect];
    const call = await createCallContext(request, dialect, exchange);
    const called = { id, params: rpc.params, codec, call };
    return await answer(exchange, called, detected);
  } catch (error) {
    return errorResponse(A2AError.from(error), id, codecs[dialect]);
  }
}

/** Methods that 0.1 and 0.3 share are answered as the task's creator speaks. */
async function detect(
  exchange: Exchange,
  { method, params }: JsonRpcRequest,
): Promise<ReturnType<typeof detectJsonRpc>> {
  const { options, version } = exchange;
  const strictVersion = options.strictVersion ?? false;
  const detected = detectJsonRpc({ method, params, version, strictVersion });
  if ("error" in detected || !detected.byOrigin) return detected;
  const taskOrigin = await findTaskOrigin(exchange, detected.dialect, params);
  return taskOrigin === undefined
    ? detected
    : detectJsonRpc({ method, params, version, strictVersion, taskOrigin });
}

async function answer(
  exchange: Exchange,
  called: Called,
  { operation }: Detected,
): Promise<HttpResponse> {
  if (isStreaming(operation)) return answerWithStream(exchange, called, operation);
  const result = JSON.stringify(await callOnce(exchange, called, operation));
  const headers = { ...json, ...extensionHeaders(called.call) };
  return { status: 200, headers, body: envelope(called.id, result) };
}

async function answerWithStream(
  exchange: Exchange,
  called: Called,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { id, codec, call } = called;
  const encodeError: SseEncoding["encodeError"] = (error) =>
    JSON.stringify(encodeJsonRpcErrorResponse(id, codec.encodeJsonRpcError(error)));
  const { heartbeatMs = 15_000 } = exchange.options;
  const headers = extensionHeaders(call);
  const common = { encodeError, headers, heartbeatMs };
  try {
    const { events, taskId } = openStream(exchange, called, operation);
    const encode = createEventEncoder(codec, operation, taskId);
    const encodeEvent: SseEncoding["encodeEvent"] = (response) =>
      encode(response).map((text) => envelope(id, text));
    return await openSse(events, { ...common, encodeEvent });
  } catch (error) {
    if (codec.version === "1.0" || !wantsStream(exchange, operation)) throw error;
    return errorAsSse(A2AError.from(error), { ...common, encodeEvent: () => [] });
  }
}

/**
 * Strict clients before 1.0 take nothing but an event stream as the answer to a resubscription. Some,
 * the official JavaScript ones among them, are as strict about a message, and say so.
 */
function wantsStream({ request }: Exchange, operation: StreamingOperation): boolean {
  return operation === "subscribeToTask" || request.header("accept") === "text/event-stream";
}

/** The result is already JSON; only the envelope is put around it. */
function envelope(id: JsonRpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

function errorResponse(error: A2AError, id: JsonRpcId, codec: Codec): HttpResponse {
  const body = JSON.stringify(encodeJsonRpcErrorResponse(id, codec.encodeJsonRpcError(error)));
  const { status, headers } = transportStatus(error);
  return { status, headers: { ...json, ...headers }, body };
}
