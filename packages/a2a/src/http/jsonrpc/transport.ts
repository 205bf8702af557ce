import { A2AError, createService } from "../../protocol/internal.js";
import type {
  CallableService,
  CallContext,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../../protocol/internal.js";
import { fromBatches } from "../../async/internal.js";
import type { Batches } from "../../async/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import { createPeerCursor, knownIds, refuseAnswer, withTenant } from "../../binding/internal.js";
import {
  encodeJsonRpcRequest,
  loadPeerCodec,
  packMethodParams,
  parseJsonRpcResponse,
} from "../../wire/internal.js";
import type { PeerCodec } from "../../wire/internal.js";
import {
  isEventStream,
  readEvents,
  readJson,
  sendRequest,
  withRetryAfter,
} from "../peer-exchange.js";
import type { PeerAnswer, TransportOptions } from "../peer-exchange.js";

/** A request that was sent, and what it takes to read its answer. */
interface Posted extends PeerAnswer {
  readonly id: number;
  readonly codec: PeerCodec;
}

/** Calls an agent over JSON-RPC, in one dialect. */
export function createJsonRpcTransport(options: TransportOptions): CallableService {
  let lastId = 0;

  async function post<O extends Operation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
    accept: string,
  ): Promise<Posted> {
    const codec = await loadPeerCodec(options.dialect);
    const encoded = codec.encodeRequest[operation](withTenant(request, options.tenant));
    const method = codec.jsonRpcMethods[operation] ?? encoded["method"];
    if (typeof method !== "string") {
      const message = `version ${codec.version} of the protocol has no operation ${operation}`;
      throw new A2AError("UNSUPPORTED_OPERATION", message);
    }
    const id = (lastId += 1);
    const params = operation === "callMethod" ? packMethodParams(encoded) : encoded;
    const body = JSON.stringify(encodeJsonRpcRequest(id, method, params));
    const sent = {
      url: options.url,
      method: "POST",
      accept,
      contentType: "application/json",
      body,
    };
    return { id, codec, ...(await sendRequest(options, sent, call)) };
  }

  /** Reads the result of an answer that is not a stream; throws its error. */
  function readResult<T>(posted: Posted, decode: (result: unknown) => T): Promise<Awaited<T>> {
    const { response, codec } = posted;
    return readJson(posted, (json) => {
      const isRpc = isJsonObject(json) && ("result" in json || "error" in json);
      if (!response.ok && !isRpc) {
        throw withRetryAfter(codec.decodeHttpError(response.status, json), response);
      }
      return decode(unwrap(json, posted));
    });
  }

  function unwrap(json: unknown, { response, codec, id }: Posted): unknown {
    const parsed = parseJsonRpcResponse(json, id);
    if (parsed.idMismatch) {
      throw refuseAnswer("id", `the answer to request ${id} has another id`);
    }
    if ("error" in parsed) throw withRetryAfter(codec.decodeJsonRpcError(parsed.error), response);
    return parsed.result;
  }

  async function callUnary<O extends UnaryOperation>(
    operation: O,
    request: RequestOf<O>,
    call: CallContext,
  ): Promise<ResultOf<O>> {
    const posted = await post(operation, request, call, "application/json");
    return readResult(posted, (result) =>
      posted.codec.decodeResult[operation](result, createPeerCursor(), knownIds(request)),
    );
  }

  async function* openStream(
    operation: StreamingOperation,
    request: RequestOf<StreamingOperation>,
    call: CallContext,
  ): Batches<StreamEvent> {
    const posted = await post(operation, request, call, "text/event-stream");
    const { codec, response } = posted;
    const known = knownIds(request);
    if (!isEventStream(response)) {
      const decode = (result: unknown) => codec.decodeEvent(result, createPeerCursor(), known);
      yield [{ response: await readResult(posted, decode) }];
      return;
    }
    const readEvent = (data: unknown, ids: typeof known) =>
      codec.decodeEvent(unwrap(data, posted), createPeerCursor(), ids);
    yield* readEvents(posted, readEvent, known);
  }

  return createService(callUnary, (...call) => fromBatches(openStream(...call)));
}
