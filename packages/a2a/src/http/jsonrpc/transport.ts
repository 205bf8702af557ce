import { A2AError } from "../../protocol/index.js";
import type {
  AgentService,
  CallContext,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../../protocol/index.js";
import {
  codecs,
  encodeJsonRpcRequest,
  jsonRpcMethod,
  parseJsonRpcResponse,
} from "../../wire/index.js";
import { createService, knownIds, withTenant } from "../client-service.js";
import {
  createPeerCursor,
  isEventStream,
  readEvents,
  readJson,
  sendRequest,
  withRetryAfter,
} from "../peer-exchange.js";
import type { TransportOptions } from "../transport-options.js";

/** Calls an agent over JSON-RPC, in the dialect given. */
export function createJsonRpcTransport(options: TransportOptions): AgentService {
  const codec = codecs[options.dialect];
  let lastId = 0;

  async function post<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
    accept: string,
  ): Promise<{ readonly id: number; readonly response: Response }> {
    const method = jsonRpcMethod(options.dialect, operation);
    if (method === undefined) {
      const message = `version ${codec.version} of the protocol has no operation ${operation}`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    const id = (lastId += 1);
    const params = codec.encodeRequest[operation](withTenant(request, options.tenant));
    const body = JSON.stringify(encodeJsonRpcRequest(id, method, params));
    const sent = {
      url: options.url,
      method: "POST",
      accept,
      contentType: "application/json",
      body,
    };
    return { id, response: await sendRequest(options, sent, call) };
  }

  /** The result, or the error, of an answer that is there as a whole. */
  async function readResult(response: Response, id: number): Promise<unknown> {
    const json = await readJson(response);
    const isRpc =
      typeof json === "object" && json !== null && ("result" in json || "error" in json);
    if (!response.ok && !isRpc) {
      throw withRetryAfter(codec.decodeHttpError(response.status, json), response);
    }
    return unwrap(json, id, response);
  }

  function unwrap(json: unknown, id: number, response: Response): unknown {
    const parsed = parseJsonRpcResponse(json, id);
    if ("error" in parsed) throw withRetryAfter(codec.decodeJsonRpcError(parsed.error), response);
    return parsed.result;
  }

  async function callUnary<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<ResultOf<O>> {
    const { id, response } = await post(operation, request, call, "application/json");
    const result = await readResult(response, id);
    return codec.decodeResult[operation](result, createPeerCursor(), knownIds(request));
  }

  async function* callStreaming(
    operation: StreamingOperation,
    request: RequestOf<StreamingOperation>,
    call: CallContext,
  ): AsyncGenerator<StreamEvent, void, void> {
    const { id, response } = await post(operation, request, call, "text/event-stream");
    const known = knownIds(request);
    if (!isEventStream(response)) {
      const result = await readResult(response, id);
      yield { response: codec.decodeEvent(result, createPeerCursor(), known) };
      return;
    }
    const readEvent = (data: unknown, ids: typeof known) =>
      codec.decodeEvent(unwrap(data, id, response), createPeerCursor(), ids);
    yield* readEvents(response, call, readEvent, known);
  }

  return createService(callUnary, callStreaming);
}
