import { A2AError } from "../../protocol/internal.js";
import type { JsonObject, JsonValue } from "../../protocol/internal.js";
import { describe } from "../../protocol/parse/internal.js";
import type { JsonRpcError } from "../codec.js";
import { isObject } from "../members/is-object.js";

/** The id that a response shares with its request. */
export type JsonRpcId = string | number | null;

/** The envelope of a JSON-RPC request, read. */
export interface JsonRpcRequest {
  /** `null` when the request has none; it is answered all the same. */
  readonly id: JsonRpcId;
  readonly method: string;
  /** Undefined when absent or `null`; otherwise whatever was sent. */
  readonly params: unknown;
}

/** The id is repeated in every event of a stream, which a huge one would multiply. */
const maxIdLength = 1024;

/** The envelope of a request. Throws `INVALID_REQUEST` for anything else, batches included. */
export function parseJsonRpcRequest(value: unknown): JsonRpcRequest {
  if (Array.isArray(value)) fail("expected one request, got a batch");
  if (!isObject(value)) fail(`expected an object, got ${describe(value)}`);
  const { jsonrpc, id = null, method, params } = value;
  if (jsonrpc !== "2.0") fail(`jsonrpc: expected "2.0", got ${describe(jsonrpc)}`);
  if (!isId(id)) {
    fail(`id: expected an integer or a string of at most ${maxIdLength} characters`);
  }
  if (typeof method !== "string" || method === "") {
    fail(`method: expected a string that is not empty, got ${describe(method)}`);
  }
  return { id, method, params: params ?? undefined };
}

/** The id under which to answer something that may be no request: `null` when it has no usable one. */
export function requestId(value: unknown): JsonRpcId {
  return isObject(value) && isId(value["id"]) ? value["id"] : null;
}

/** Builds the envelope of a response with a result. */
export function encodeJsonRpcResult(id: JsonRpcId, result: JsonValue): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** Builds the envelope of a response with an error. */
export function encodeJsonRpcErrorResponse(id: JsonRpcId, error: JsonRpcError): JsonObject {
  const { code, message, data } = error;
  return { jsonrpc: "2.0", id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** Builds the envelope of a request. */
export function encodeJsonRpcRequest(
  id: JsonRpcId,
  method: string,
  params?: JsonObject,
): JsonObject {
  return { jsonrpc: "2.0", id, method, ...(params !== undefined && { params }) };
}

/** A peer's response: it has a `result` or an `error`, to be told apart with `in`. */
export type JsonRpcResponse = ({ readonly result: unknown } | { readonly error: unknown }) & {
  /** It answers under another id. Some peers do; harmless where nothing else can be meant. */
  readonly idMismatch: boolean;
};

/**
 * The envelope of a response. Throws `INVALID_AGENT_RESPONSE` for anything else. Accepted besides the
 * strict form: no `jsonrpc`, which 0.1 lets peers leave out, and a `null` beside the member that counts.
 */
export function parseJsonRpcResponse(value: unknown, expectedId: JsonRpcId): JsonRpcResponse {
  if (!isObject(value)) failResponse(`expected an object, got ${describe(value)}`);
  const { jsonrpc = "2.0", id = null, result, error = null } = value;
  if (jsonrpc !== "2.0") failResponse(`jsonrpc: expected "2.0", got ${describe(jsonrpc)}`);
  if (error !== null) {
    if ((result ?? null) !== null) failResponse("expected a result or an error, got both");
    return { error, idMismatch: id !== null && id !== expectedId };
  }
  if (result === undefined) failResponse("expected a result or an error, got neither");
  return { result, idMismatch: id !== expectedId };
}

/** An integer beyond 2^53 is refused: it could not be repeated digit by digit. */
function isId(value: unknown): value is JsonRpcId {
  if (typeof value === "string") return value.length <= maxIdLength;
  return value === null || Number.isSafeInteger(value);
}

function fail(problem: string): never {
  throw new A2AError("INVALID_REQUEST", `no JSON-RPC request: ${problem}`);
}

function failResponse(problem: string): never {
  throw new A2AError("INVALID_AGENT_RESPONSE", `no JSON-RPC response: ${problem}`);
}
