import { invoke, openStream } from "../../binding/internal.js";
import type { Call } from "../../binding/internal.js";
import { isStreaming } from "../../protocol/internal.js";
import type { StreamingOperation } from "../../protocol/internal.js";
import {
  codecs,
  detectJsonRpc,
  isAtLeastVersion1,
  parseJson,
  parseJsonRpcRequest,
  requestId,
} from "../../wire/internal.js";
import type { Dialect, JsonRpcId, JsonRpcRequest } from "../../wire/internal.js";
import { answerExtendedCard } from "../cards/extended-card.js";
import {
  afterParsing,
  checkBody,
  failureIn,
  findCreatedIn,
  openCall,
  refusalOf,
} from "../exchange.js";
import type { Exchange } from "../exchange.js";
import type { HttpResponse } from "../http-message.js";
import { largeResponse } from "../large/large-response.js";
import { addExtensionHeaders, extensionHeaders, sharedHeaders } from "../response-headers.js";
import { createEventEncoder } from "../sse/event-encoder.js";
import { errorAsSse, openSse, patienceFor } from "../sse/open-sse.js";
import type { SseEncoding } from "../sse/open-sse.js";
import { encodeError, encodeErrorBody, statusOf } from "./error-map.js";

const jsonHeaders = sharedHeaders({ "Content-Type": "application/json" });

/** Answers a JSON-RPC request in the dialect that it is written in. */
export async function handleJsonRpc(exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange;
  let id: JsonRpcId = null;
  // Until the body shows the dialect, the version that the request names decides it.
  let dialect: Dialect = isAtLeastVersion1(exchange.version) ? "1.0" : "0.3";
  const checking = refusalOf(exchange);
  const refusal = checking && (await checking);
  try {
    const limit = checkBody(exchange, "application/json", refusal);
    const body = await request.body(limit);
    const document = parseJson(body, exchange.options.limits);
    const pause = afterParsing(exchange, body);
    if (pause !== undefined) await pause;
    id = requestId(document);
    const rpc = parseJsonRpcRequest(document);
    let detected = detect(exchange, rpc);
    dialect = detected.dialect;
    if (refusal !== undefined)
      return encodeError(failureIn(exchange, refusal), codecs[dialect], id);
    if ("error" in detected) throw detected.error;
    if (detected.needsCreatedIn) {
      detected = detect(exchange, rpc, await findCreatedIn(exchange, dialect, rpc.params));
      dialect = detected.dialect;
      if ("error" in detected) throw detected.error;
    }
    const call = await openCall(exchange, dialect, detected.params ?? rpc.params);
    const { operation } = detected;
    if (isStreaming(operation)) return await answerWithStream(exchange, id, call, operation);
    const result = await (operation === "getExtendedAgentCard"
      ? answerExtendedCard(exchange, call)
      : invoke(call, operation));
    const headers = addExtensionHeaders(jsonHeaders, call.context);
    if (exchange.large !== undefined) {
      return await largeResponse({
        answer: exchange.large,
        name: `${dialect} ${operation}`,
        result,
        headers,
        envelope: envelopeOf(id),
      });
    }
    return { status: 200, headers, body: envelope(id, JSON.stringify(result)) };
  } catch (error) {
    exchange.large?.release();
    return encodeError(failureIn(exchange, refusal ?? error), codecs[dialect], id);
  }
}

/** Detects operation and dialect. Methods that 0.1 and 0.3 share are answered in the dialect of the task. */
function detect(
  { options: { strictVersion = false }, version, point }: Exchange,
  { method, params }: JsonRpcRequest,
  createdIn?: Dialect,
): ReturnType<typeof detectJsonRpc> {
  const call = { method, params, version, strictVersion, extensionMethods: point.methods };
  return detectJsonRpc(createdIn === undefined ? call : { ...call, createdIn });
}

async function answerWithStream(
  exchange: Exchange,
  id: JsonRpcId,
  call: Call,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, context } = call;
  const { options } = exchange;
  const encodeBody: SseEncoding["encodeError"] = (error) => encodeErrorBody(error, codec, id);
  const headers = extensionHeaders(context);
  try {
    const opened = await openStream(call, operation);
    const encode = createEventEncoder(codec, operation, opened);
    return await openSse(opened.events, {
      encodeError: encodeBody,
      headers,
      heartbeatMs: options.heartbeatMs,
      ...encode,
      envelope: envelopeOf(id),
      failureOf: (error) => failureIn(exchange, error),
      patienceMs: patienceFor(context),
    });
  } catch (error) {
    if (codec.version === "1.0" || !readsOnlyStreams(exchange, operation)) throw error;
    const failure = failureIn(exchange, error);
    // The status tells callers that they have to authenticate, or to wait; a stream would hide it.
    if (statusOf(failure) !== 200) throw failure;
    return errorAsSse(failure, { encodeError: encodeBody, headers });
  }
}

/**
 * Strict clients before 1.0 accept nothing but an event stream as the answer to a resubscription. Some, the
 * official JavaScript clients among them, are as strict about a message, and say so in the Accept header.
 */
function readsOnlyStreams({ request }: Exchange, operation: StreamingOperation): boolean {
  return operation === "subscribeToTask" || request.header("accept") === "text/event-stream";
}

/** Writes the envelope around a result that is JSON text already. */
function envelope(id: JsonRpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

/** What stands before and after a result. */
function envelopeOf(id: JsonRpcId): readonly [before: string, after: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, "}"];
}
