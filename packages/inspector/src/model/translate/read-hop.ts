import { A2AError } from "@parley/a2a";
import type { Operation, RequestOf, ResultOf, StreamResponse, UnaryOperation } from "@parley/a2a";
import {
  codecs,
  Cursor,
  detectJsonRpc,
  detectRest,
  parseJsonRpcRequest,
  parseJsonRpcResponse,
} from "@parley/a2a/wire";
import type { Dialect, JsonRpcId } from "@parley/a2a/wire";
import type { Frame, Hop } from "../../contract/index.js";

/** A request, as the model has it. */
export interface ReadRequest {
  readonly operation: Operation;
  readonly dialect: Dialect;
  readonly id: JsonRpcId;
  readonly request: RequestOf<Operation>;
}

/** What an agent has answered, as the model has it. */
export type ReadAnswer =
  | { readonly kind: "result"; readonly result: ResultOf<UnaryOperation> }
  | { readonly kind: "event"; readonly event: StreamResponse }
  | { readonly kind: "error"; readonly error: A2AError };

/** Reads the request of a hop in whatever dialect it was sent. Throws `A2AError` where it is none of A2A. */
export function readRequest(hop: Hop): ReadRequest {
  if (hop.binding === "GRPC") {
    const operation = operationOf(hop);
    const dialect = hop.version === "1.0" ? "1.0" : "0.3-proto";
    const params = parse(hop.requestBody ?? "{}");
    return { operation, dialect, id: 1, request: decodeRequest(dialect, operation, params) };
  }
  const version = header(hop, "a2a-version");
  const body =
    hop.requestBody === undefined || hop.requestBody === "" ? undefined : parse(hop.requestBody);
  if (hop.binding !== "HTTP+JSON" && isEnvelope(body)) {
    const { id, method, params } = parseJsonRpcRequest(body);
    const detected = detectJsonRpc({ method, params, version });
    if ("error" in detected) throw detected.error;
    const { operation, dialect } = detected;
    return { operation, dialect, id, request: decodeRequest(dialect, operation, params) };
  }
  const { path, query } = restPath(hop.url);
  const detected = detectRest({ httpMethod: hop.method, path, query, version, body });
  if ("error" in detected) throw detected.error;
  const { operation, dialect, params } = detected;
  return { operation, dialect, id: 1, request: decodeRequest(dialect, operation, params) };
}

/** Reads what came back at once: a result or an error. */
export function readResponse(
  hop: Hop,
  { operation, dialect, id, request }: ReadRequest,
): ReadAnswer {
  const body = parse(hop.responseBody ?? "");
  const codec = codecs[dialect];
  const isRpc = hop.binding === "JSONRPC" || (hop.binding === undefined && isEnvelope(body));
  if (!isRpc) {
    const status = hop.status ?? 200;
    if (status >= 400) return { kind: "error", error: codec.decodeHttpError(status, body) };
    return { kind: "result", result: decodeResult(dialect, operation, { json: body, request }) };
  }
  const answer = parseJsonRpcResponse(body, id);
  if ("error" in answer) return { kind: "error", error: codec.decodeJsonRpcError(answer.error) };
  return {
    kind: "result",
    result: decodeResult(dialect, operation, { json: answer.result, request }),
  };
}

/** Reads an event of a stream. `undefined` for heartbeats. */
export function readFrame(
  frame: Frame,
  { dialect, id, request }: ReadRequest,
): ReadAnswer | undefined {
  if (frame.kind === "comment" || frame.data === "") return undefined;
  const codec = codecs[dialect];
  const body = parse(frame.data);
  const known = idsOf(request);
  if (!isEnvelope(body)) {
    return { kind: "event", event: codec.decodeEvent(body, new Cursor(), known) };
  }
  const answer = parseJsonRpcResponse(body, id);
  if ("error" in answer) return { kind: "error", error: codec.decodeJsonRpcError(answer.error) };
  return { kind: "event", event: codec.decodeEvent(answer.result, new Cursor(), known) };
}

/** The ids that a caller knows from its own request. */
export function idsOf(request: RequestOf<Operation>): { taskId?: string; contextId?: string } {
  const { message, id } = request as {
    message?: { taskId?: string; contextId?: string };
    id?: string;
  };
  const taskId = message?.taskId ?? id;
  return {
    ...(taskId === undefined ? {} : { taskId }),
    ...(message?.contextId === undefined ? {} : { contextId: message.contextId }),
  };
}

export function decodeRequest<O extends Operation>(
  dialect: Dialect,
  operation: O,
  params: unknown,
): RequestOf<O> {
  return codecs[dialect].decodeRequest[operation](params, new Cursor());
}

export function decodeResult(
  dialect: Dialect,
  operation: Operation,
  { json, request }: { readonly json: unknown; readonly request: RequestOf<Operation> },
): ResultOf<UnaryOperation> {
  const decode = codecs[dialect].decodeResult as Readonly<
    Record<string, (json: unknown, cursor: Cursor, known: object) => ResultOf<UnaryOperation>>
  >;
  const decoder = decode[operation];
  if (decoder === undefined) {
    throw new A2AError("UNSUPPORTED_OPERATION", `${operation} answers with a stream`);
  }
  return decoder(json, new Cursor(), idsOf(request));
}

function operationOf(hop: Hop): Operation {
  if (hop.operation !== undefined) return hop.operation;
  throw new A2AError("INVALID_REQUEST", "the hop names no operation");
}

function header(hop: Hop, name: string): string | undefined {
  return hop.requestHeaders.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** The path below the interface's URL, which the hop does not name: it begins with the first segment that A2A knows. */
function restPath(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url);
  const found = /(?:\/v1)?\/(?:message[:/]|tasks(?:[/:?]|$)|extendedAgentCard|card$).*/.exec(
    pathname,
  );
  return { path: found?.[0] ?? pathname, query: searchParams };
}

function isEnvelope(body: unknown): boolean {
  return typeof body === "object" && body !== null && "jsonrpc" in body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new A2AError("PARSE_ERROR", "the body is not JSON");
  }
}
