import { isStreaming } from "../../protocol/internal.js";
import type { A2AError, StreamingOperation } from "../../protocol/internal.js";
import {
  codecs,
  detectJsonRpc,
  encodeJsonRpcErrorResponse,
  isAtLeastVersion1,
  parseJson,
  parseJsonRpcRequest,
  requestId,
} from "../../wire/internal.js";
import type { Codec, Dialect, JsonRpcId, JsonRpcRequest } from "../../wire/internal.js";
import { addExtensionHeaders, extensionHeaders } from "../call-context.js";
import { createEventEncoder } from "../event-encoder.js";
import type { Exchange } from "../exchange.js";
import { failureOf } from "../failure.js";
import type { HttpResponse } from "../http-message.js";
import { callOnce, checkContentType, findTaskOrigin, openCall, openStream } from "../invoke.js";
import type { Call } from "../invoke.js";
import { bodyLimit, refusalOf } from "../refusal.js";
import { sharedHeaders } from "../safe-headers.js";
import { errorAsSse, openSse, patienceFor } from "../sse.js";
import type { SseEncoding } from "../sse.js";
import { transportStatus } from "./transport-status.js";

const json = sharedHeaders({ "Content-Type": "application/json" });

/** Answers a JSON-RPC request in the dialect it is written in. */
export async function handleJsonRpc(exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange;
  let id: JsonRpcId = null;
  // Until the body tells, the version that the request names does.
  let dialect: Dialect = isAtLeastVersion1(exchange.version) ? "1.0" : "0.3";
  const checking = refusalOf(exchange);
  const refusal = checking && (await checking);
  try {
    checkContentType(exchange, "application/json");
    const limit = bodyLimit(exchange, refusal);
    const document = parseJson(await request.body(limit), { maxBodyBytes: limit });
    id = requestId(document);
    const rpc = parseJsonRpcRequest(document);
    let detected = detect(exchange, rpc);
    dialect = detected.dialect;
    if ("error" in detected) throw detected.error;
    if (detected.byOrigin) {
      detected = detect(exchange, rpc, await findTaskOrigin(exchange, dialect, rpc.params));
      dialect = detected.dialect;
      if ("error" in detected) throw detected.error;
    }
    const call = await openCall(exchange, dialect, rpc.params);
    const { operation } = detected;
    if (isStreaming(operation)) return await answerWithStream(exchange, id, call, operation);
    const result = JSON.stringify(await callOnce(exchange, call, operation));
    const headers = addExtensionHeaders(json, call.context);
    return { status: 200, headers, body: envelope(id, result) };
  } catch (error) {
    return errorResponse(failureOf(refusal ?? error, exchange), id, codecs[dialect]);
  }
}

/** Methods that 0.1 and 0.3 share are answered as the task's creator speaks. */
function detect(
  { options: { strictVersion = false }, version }: Exchange,
  { method, params }: JsonRpcRequest,
  taskOrigin?: Dialect,
): ReturnType<typeof detectJsonRpc> {
  const call = { method, params, version, strictVersion };
  return detectJsonRpc(taskOrigin === undefined ? call : { ...call, taskOrigin });
}

async function answerWithStream(
  exchange: Exchange,
  id: JsonRpcId,
  call: Call,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, context } = call;
  const { options } = exchange;
  const encodeError: SseEncoding["encodeError"] = (error) =>
    JSON.stringify(encodeJsonRpcErrorResponse(id, codec.encodeJsonRpcError(error)));
  const headers = extensionHeaders(context);
  try {
    const opened = await openStream(exchange, call, operation);
    const encode = createEventEncoder(codec, operation, opened);
    const enclose = (text: string): string => envelope(id, text);
    return await openSse(opened.events, {
      encodeError,
      headers,
      heartbeatMs: options.heartbeatMs,
      encodeEvent: (event) => encode(event).map(enclose),
      failureOf: (error) => failureOf(error, exchange),
      patienceMs: patienceFor(context),
    });
  } catch (error) {
    if (codec.version === "1.0" || !wantsStream(exchange, operation)) throw error;
    const failure = failureOf(error, exchange);
    // Who has to authenticate, or to wait, is told so by the status.
    if (transportStatus(failure).status !== 200) throw failure;
    return errorAsSse(failure, { encodeError, headers });
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
