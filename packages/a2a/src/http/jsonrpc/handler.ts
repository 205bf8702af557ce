import { invoke, openStream } from "../../binding/internal.js";
import type { Call } from "../../binding/internal.js";
import { isStreaming } from "../../protocol/internal.js";
import type { A2AError, Operation, StreamingOperation } from "../../protocol/internal.js";
import {
  codecs,
  detectJsonRpc,
  encodeJsonRpcResult,
  isAtLeastVersion1,
  parseJson,
  parseJsonRpcRequest,
  requestId,
} from "../../wire/internal.js";
import type { Dialect, ErrorCodec, JsonRpcId, JsonRpcRequest } from "../../wire/internal.js";
import { readsOnlyStreams } from "../accept/reads-only-streams.js";
import { answerExtendedCard } from "../cards/extended-card.js";
import {
  afterParsing,
  checkBody,
  failureIn,
  failuresIn,
  findCreatedIn,
  openCall,
  refusalOf,
} from "../exchange.js";
import type { Exchange } from "../exchange.js";
import type { HttpResponse } from "../http-message.js";
import { largeResponse } from "../large/large-response.js";
import { addExtensionHeaders, extensionHeaders, sharedHeaders } from "../response-headers.js";
import { EventEncoder } from "../sse/event-encoder.js";
import { errorAsSse, openSse, patienceFor } from "../sse/open-sse.js";
import type { SseEncoding } from "../sse/sse-frames.js";
import { encodeError, encodeErrorBody, errorCodecFor, statusOf } from "./error-map.js";

const jsonHeaders = sharedHeaders({ "Content-Type": "application/json" });

/** Answers a JSON-RPC request in the dialect that it is written in. */
export async function handleJsonRpc(exchange: Exchange): Promise<HttpResponse> {
  const { request } = exchange;
  let id: JsonRpcId = null;
  // Until the body shows the dialect, the version that the request names decides it.
  let dialect: Dialect = isAtLeastVersion1(exchange.version) ? "1.0" : "0.3";
  let errors: ErrorCodec = codecs[dialect];
  let operation: Operation | undefined;
  const checking = refusalOf(exchange);
  const refusal = checking && (await checking);
  try {
    const limit = checkBody(exchange, "application/json", refusal);
    const arriving = request.body(limit);
    const body = arriving instanceof Uint8Array ? arriving : await arriving;
    const document = parseJson(body, exchange.options.limits);
    const pause = afterParsing(exchange, body);
    if (pause !== undefined) await pause;
    id = requestId(document);
    const rpc = parseJsonRpcRequest(document);
    let detected = detect(exchange, rpc);
    dialect = detected.dialect;
    errors = errorCodecFor(dialect, exchange.version);
    if (refusal !== undefined) return encodeError(failureIn(exchange, refusal), errors, id);
    if ("error" in detected) throw detected.error;
    if (detected.needsCreatedIn) {
      detected = detect(exchange, rpc, await findCreatedIn(exchange, dialect, rpc.params));
      dialect = detected.dialect;
      errors = errorCodecFor(dialect, exchange.version);
      if ("error" in detected) throw detected.error;
    }
    operation = detected.operation;
    const opening = openCall(exchange, dialect, detected.params ?? rpc.params);
    const call = opening instanceof Promise ? await opening : opening;
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
    return { status: 200, headers, body: JSON.stringify(encodeJsonRpcResult(id, result)) };
  } catch (error) {
    exchange.large?.release();
    const failure = failureIn(exchange, refusal ?? error);
    if (isToldInStream(exchange, { dialect, operation, failure }))
      return errorAsSse(failure, (one) => encodeErrorBody(one, errors, id));
    // A stream of 0.1 that cannot be opened is a standard HTTP error (§7.2, §7.7).
    return isOldest(dialect) && operation !== undefined && isStreaming(operation)
      ? encodeError(failure, errors, id, errors.encodeHttpError(failure).status)
      : encodeError(failure, errors, id);
  }
}

/** Detects operation and dialect. Methods that 0.1 and 0.3 share are answered in the dialect of the task. */
function detect(
  { options: { strict = false }, version, point }: Exchange,
  { method, params }: JsonRpcRequest,
  createdIn?: Dialect,
): ReturnType<typeof detectJsonRpc> {
  const call = { method, params, version, strict, extensionMethods: point.methods };
  return detectJsonRpc(createdIn === undefined ? call : { ...call, createdIn });
}

async function answerWithStream(
  exchange: Exchange,
  id: JsonRpcId,
  call: Call,
  operation: StreamingOperation,
): Promise<HttpResponse> {
  const { codec, context } = call;
  const { options, version } = exchange;
  const opened = await openStream(call, operation);
  const encoder = new EventEncoder(codec, operation, opened);
  const failureOf = failuresIn(exchange);
  return openSse(opened.events, {
    encoding: encodingFor(id, encoder, {
      errors: errorCodecFor(codec.dialect, version),
      failureOf,
    }),
    headers: extensionHeaders(context),
    heartbeatMs: options.heartbeatMs,
    patienceMs: patienceFor(context),
  });
}

/** How a stream is written. Apart from whoever opens it, so that a stream keeps nothing of its request. */
function encodingFor(
  id: JsonRpcId,
  encoder: SseEncoding["encoder"],
  {
    errors,
    failureOf,
  }: { readonly errors: ErrorCodec; readonly failureOf: SseEncoding["failureOf"] },
): SseEncoding {
  const encodeOne = (error: A2AError): string => encodeErrorBody(error, errors, id);
  return { encoder, envelope: envelopeOf(id), encodeError: encodeOne, failureOf };
}

/**
 * Whether a call is refused by the only event of a stream. Strict clients of 0.2 and 0.3 accept nothing but an event stream as
 * the answer to a resubscription; some, the official JavaScript clients among them, are as strict about a message, and
 * say so in the Accept header. Clients of 1.0 send the same header, and most of them read a plain answer better.
 */
function isToldInStream(
  { request, options }: Exchange,
  {
    dialect,
    operation,
    failure,
  }: {
    readonly dialect: Dialect;
    readonly operation: Operation | undefined;
    readonly failure: A2AError;
  },
): boolean {
  // The status tells callers that they have to authenticate, or to wait; a stream would hide it.
  if (operation === undefined || !isStreaming(operation) || statusOf(failure) !== 200) return false;
  if (isOldest(dialect)) return false;
  const isEarlier = dialect !== "1.0";
  if (isEarlier && operation === "subscribeToTask") return true;
  const isAllowed = isEarlier || options.streamErrors === "events";
  return isAllowed && readsOnlyStreams(request.header("accept"));
}

/** Whether tasks of this dialect are those of 0.1, also in answers that 0.3 can read. */
function isOldest(dialect: Dialect): boolean {
  return codecs[dialect].version === "0.1";
}

/** What stands before and after a result. */
function envelopeOf(id: JsonRpcId): readonly [before: string, after: string] {
  return [`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, "}"];
}
