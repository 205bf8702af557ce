import type { CallMethodRequest, JsonObject, JsonValue } from "../protocol/internal.js";
import {
  implicit,
  jsonObject,
  members,
  object,
  shortString,
  string,
} from "../protocol/parse/internal.js";
import type { Cursor } from "../protocol/parse/internal.js";
import { asJson } from "./members/as-json.js";

// Methods of extensions are called alike in all dialects: a method has its own name and its own parameters.

/** A call as a JSON-RPC request or the body of a REST request has it. The tenant is beside the method's parameters. */
export function packMethodParams({ params, tenant }: JsonObject): JsonObject {
  return asJson({ ...(params as JsonObject | undefined), tenant });
}

/** The call in such parameters, for the codecs. */
export function unpackMethodParams(method: string, packed: unknown): JsonObject {
  const { tenant, ...params } = (packed ?? {}) as JsonObject;
  return { method, params, ...(tenant !== undefined && { tenant }) };
}

export { asJson as encodeMethodCall } from "./members/as-json.js";

const tenantOf = object<Pick<CallMethodRequest, "tenant">>({ tenant: implicit(shortString) });

/** Parses a call. The paths of fields are those of the method's own parameters. */
export function decodeMethodCall(value: unknown, cursor: Cursor): CallMethodRequest {
  const { method, params } = members(value, cursor);
  return {
    ...tenantOf(value, cursor),
    method: string(method ?? "", cursor),
    params: jsonObject(params ?? {}, cursor),
  };
}

/** A result is whatever JSON the method answers with. */
export function encodeMethodResult(result: JsonValue): JsonValue {
  return result;
}

export function decodeMethodResult(json: unknown): JsonValue {
  return (json ?? null) as JsonValue;
}
