import { A2AError } from "../../protocol/internal.js";
import type { JsonObject, JsonValue } from "../../protocol/internal.js";
import { describe, isJsonObject } from "../../protocol/parse/internal.js";
import type { JsonRpcError } from "../codec.js";

/** The id that a response shares with its request. */
export type JsonRpcId = string | number | null;

/** The envelope of a JSON-RPC request, read. */
export interface JsonRpcRequest {
  /** `null` when the request has no id. It gets an answer nevertheless. */
  readonly id: JsonRpcId;
  readonly method: string;
  /** `undefined` when absent or `null`; otherwise as sent. */
  readonly params: unknown;
}

/** A limit, because every event of a stream repeats the id. */
const maxIdLength = 1024;

/** Parses the envelope of a request. Throws `INVALID_REQUEST` for anything else, including a batch. */
export function parseJsonRpcRequest(value: unknown): JsonRpcRequest {
  if (Array.isArray(value)) fail("expected one request, got a batch");
  if (!isJsonObject(value)) fail(`expected an object, got ${describe(value)}`);
  const { jsonrpc, id = null, method, params } = value;
  if (jsonrpc !== "2.0") fail(`jsonrpc: expected "2.0", got ${describe(jsonrpc)}`);
  if (!isId(id)) {
    fail(`id: expected an integer or a string of at most ${maxIdLength} characters`);
  }
  if (typeof method !== "string" || method === "") {
    fail(`method: expected a non-empty string, got ${describe(method)}`);
  }
  return { id, method, params: params ?? undefined };
}

/** The id for the answer to something that may be no request: `null` when it has no valid id. */
export function requestId(value: unknown): JsonRpcId {
  return isJsonObject(value) && isId(value["id"]) ? value["id"] : null;
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

/** A peer's response. It has either a `result` or an `error`; check with `in`. */
export type JsonRpcResponse = ({ readonly result: unknown } | { readonly error: unknown }) & {
  /**
   * The response has another id than the request. One that reads the same, such as `"1"` for 1, none and
   * `null` are no other ids.
   */
  readonly idMismatch: boolean;
};

/**
 * Parses the envelope of a response. Throws `INVALID_AGENT_RESPONSE` for anything else. Besides the
 * strict form it accepts a response without `jsonrpc`, which 0.1 allows, and a `null` beside the result
 * or the error, or left out.
 */
export function parseJsonRpcResponse(value: unknown, expectedId: JsonRpcId): JsonRpcResponse {
  if (!isJsonObject(value)) failResponse(`expected an object, got ${describe(value)}`);
  const { jsonrpc = "2.0", id = null, result = null, error = null } = value;
  const idMismatch = id !== null && id !== expectedId && id !== String(expectedId);
  if (jsonrpc !== "2.0") failResponse(`jsonrpc: expected "2.0", got ${describe(jsonrpc)}`);
  if (error !== null) {
    if (result !== null) failResponse("expected a result or an error, got both");
    return { error, idMismatch };
  }
  // Some servers leave out a null; a document that is no response has none either.
  if (!("result" in value || "jsonrpc" in value)) {
    failResponse("expected a result or an error, got neither");
  }
  return { result, idMismatch };
}

/** False for an integer beyond 2^53, which a number cannot repeat digit by digit. */
function isId(value: unknown): value is JsonRpcId {
  if (typeof value === "string") return value.length <= maxIdLength;
  return value === null || Number.isSafeInteger(value);
}

function fail(problem: string): never {
  throw new A2AError("INVALID_REQUEST", `not a JSON-RPC request: ${problem}`);
}

function failResponse(problem: string): never {
  throw new A2AError("INVALID_AGENT_RESPONSE", `not a JSON-RPC response: ${problem}`);
}
