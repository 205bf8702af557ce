import type { A2AError, JsonObject } from "../../protocol/internal.js";
import { isJsonObject } from "../../protocol/parse/internal.js";
import type { Codec } from "../../wire/internal.js";
import type { HttpHeaders, HttpRequest, WholeResponse } from "../http-message.js";
import { errorHeaders } from "../response-headers.js";
import { answerTypeOf } from "./answer-type.js";

/** The body of an error response, also as the data of an event. */
export function encodeErrorBody(error: A2AError, codec: Codec): string {
  return JSON.stringify(codec.encodeHttpError(error).body);
}

/** What the answer with an error depends on besides the error. */
interface Refused {
  readonly request: HttpRequest;
  readonly codec: Codec;
  /** The methods that the path allows, where it allows only others: the status is 405 then. */
  readonly allowed?: readonly string[] | undefined;
  /** The status, where it is not that of the error. */
  readonly status?: number | undefined;
}

/** An error as a response. */
export function encodeError(
  error: A2AError,
  { request, codec, ...refused }: Refused,
): WholeResponse {
  const { allowed } = refused;
  const { status: own, body } = codec.encodeHttpError(error);
  const status = allowed === undefined ? (refused.status ?? own) : 405;
  const headers: HttpHeaders = {
    "Content-Type": answerTypeOf(codec.version, request),
    ...errorHeaders(error),
    ...(allowed !== undefined && { Allow: allowed.join(", ") }),
  };
  return {
    status,
    headers,
    body: JSON.stringify(status === own ? body : withStatus(body, status)),
  };
}

/** The `error` of a body repeats the status of its response (§11.6). */
function withStatus(body: JsonObject, status: number): JsonObject {
  const { error } = body;
  return isJsonObject(error) ? { ...body, error: { ...error, code: status } } : body;
}
