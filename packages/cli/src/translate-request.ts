import { A2AError } from "@parley/a2a";
import type { JsonObject, JsonValue, Operation, RequestOf } from "@parley/a2a";
import {
  buildRestRequest,
  codecs,
  Cursor,
  detectJsonRpc,
  encodeJsonRpcRequest,
  jsonRpcMethod,
  parseJsonRpcRequest,
} from "@parley/a2a/wire";
import type { Dialect, JsonRpcId } from "@parley/a2a/wire";
import { orReason } from "./translation.js";
import type { Translation } from "./translation.js";

const jsonRpcDialects = ["0.1", "0.3", "1.0"] as const;
const restDialects = ["0.3-proto", "1.0"] as const;

/** Translates a JSON-RPC request of any version into the form of each version and binding. */
export function translateRequest(document: object, version: string | undefined): Translation {
  const { id, method, params } = parseJsonRpcRequest(document);
  const detected = detectJsonRpc({ method, params, version });
  if ("error" in detected) throw detected.error;
  const { operation, dialect } = detected;
  const request = codecs[dialect].decodeRequest[operation](params, new Cursor());
  return {
    found: `${operation} in ${dialect}`,
    forms: [
      ...jsonRpcDialects.map((target) => ({
        title: `JSON-RPC ${target}`,
        body: orReason(() => jsonRpc(target, { id, operation, request })),
      })),
      ...restDialects.map((target) => ({
        title: `HTTP+JSON ${target}`,
        body: orReason(() => rest(target, operation, request)),
      })),
    ],
  };
}

function encode<O extends Operation>(
  dialect: Dialect,
  operation: O,
  request: RequestOf<O>,
): JsonObject {
  return codecs[dialect].encodeRequest[operation](request);
}

function jsonRpc(
  dialect: Dialect,
  call: { id: JsonRpcId; operation: Operation; request: RequestOf<Operation> },
): JsonValue {
  const method = jsonRpcMethod(dialect, call.operation);
  if (method === undefined) {
    throw new A2AError("UNSUPPORTED_OPERATION", `version ${dialect} has no ${call.operation}`);
  }
  return encodeJsonRpcRequest(call.id, method, encode(dialect, call.operation, call.request));
}

function rest(dialect: Dialect, operation: Operation, request: RequestOf<Operation>): JsonValue {
  const built = buildRestRequest(dialect, operation, encode(dialect, operation, request));
  const query = built.query === "" ? "" : `?${built.query}`;
  const line = `${built.httpMethod} ${built.path}${query}`;
  return built.body === undefined ? line : { request: line, body: built.body };
}
