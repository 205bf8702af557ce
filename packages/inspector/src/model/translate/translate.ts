import { A2AError } from "@parley/a2a";
import type { JsonObject, JsonValue, StreamResponse } from "@parley/a2a";
import {
  buildRestRequest,
  codecs,
  Cursor,
  encodeJsonRpcErrorResponse,
  encodeJsonRpcRequest,
  encodeJsonRpcResult,
  jsonRpcMethod,
} from "@parley/a2a/wire";
import type { Dialect } from "@parley/a2a/wire";
import { escapePointer } from "../json-lines.js";
import type { Column } from "./columns.js";
import { findLosses, isContainer, memberOf } from "./losses.js";
import type { Loss } from "./losses.js";
import { decodeRequest, decodeResult, idsOf } from "./read-hop.js";
import type { ReadAnswer, ReadRequest } from "./read-hop.js";
import { lossReason } from "./loss-reason.js";

const dialects: Readonly<Record<Column, Dialect>> = {
  "1.0": "1.0",
  "0.3": "0.3",
  "0.1": "0.1",
  REST: "1.0",
  gRPC: "1.0",
};

/** A document in another spelling. What it cannot say stands in it, marked as lost. */
export interface Translation {
  readonly column: Column;
  /** The line before the document: `POST /message:send`. */
  readonly line?: string;
  /** Absent where the version cannot say it at all. */
  readonly document?: JsonValue;
  /** The losses, by their pointers in the document. */
  readonly lost: ReadonlySet<string>;
  readonly losses: readonly Loss[];
  /** Why something is lost, or why there is no document. */
  readonly reasons: readonly string[];
}

/** A request in another spelling. */
export function translateRequest(read: ReadRequest, column: Column): Translation {
  const { operation, request, id } = read;
  const dialect = dialects[column];
  return orReason(column, () => {
    const params = codecs[dialect].encodeRequest[operation](request as never);
    const losses = findLosses(
      request as JsonValue,
      asJson(decodeRequest(dialect, operation, params)),
    );
    if (column === "REST") {
      const { httpMethod, path, query, body } = buildRestRequest(dialect, operation, params);
      const line = `${httpMethod} ${path}${query === "" ? "" : `?${query}`}`;
      return mark({ column, dialect, line, document: body, at: [], losses });
    }
    if (column === "gRPC") {
      const line = `lf.a2a.v1.A2AService/${operation[0]?.toUpperCase()}${operation.slice(1)}`;
      return mark({ column, dialect, line, document: params, at: [], losses });
    }
    const method = jsonRpcMethod(dialect, operation);
    if (method === undefined) {
      throw new A2AError("UNSUPPORTED_OPERATION", `${column} has no ${operation}.`);
    }
    const document = encodeJsonRpcRequest(id, method, params);
    return mark({ column, dialect, document, at: ["params"], losses });
  });
}

/** An answer in another spelling. */
export function translateAnswer(
  answer: ReadAnswer,
  read: ReadRequest,
  column: Column,
): Translation {
  const dialect = dialects[column];
  const isRpc = column !== "REST" && column !== "gRPC";
  const at = isRpc ? ["result"] : [];
  const wrap = (result: JsonValue): JsonValue =>
    isRpc ? encodeJsonRpcResult(read.id, result) : result;
  return orReason(column, () => {
    if (answer.kind === "error") return translateError(answer.error, read, column);
    if (answer.kind === "event") {
      const encoded = encodeEvents(answer.event, read, dialect);
      const known = idsOf(read.request);
      const decoded = encoded.map((event) =>
        codecs[dialect].decodeEvent(event, new Cursor(), known),
      );
      const losses = findLosses(asJson(answer.event), asJson(joinEvents(decoded)));
      const [first] = encoded;
      const document =
        encoded.length === 1 && first !== undefined ? wrap(first) : encoded.map(wrap);
      return mark({ column, dialect, document, at: encoded.length === 1 ? at : [], losses });
    }
    const encode = codecs[dialect].encodeResult as Readonly<
      Record<string, (result: unknown, request: unknown) => JsonValue>
    >;
    const encoder = encode[read.operation];
    if (encoder === undefined) {
      throw new A2AError("UNSUPPORTED_OPERATION", `${read.operation} answers with a stream.`);
    }
    const json = encoder(answer.result, read.request);
    const decoded = decodeResult(dialect, read.operation, { json, request: read.request });
    const losses = findLosses(asJson(answer.result), asJson(decoded));
    return mark({ column, dialect, document: wrap(json), at, losses });
  });
}

function translateError(error: A2AError, { id }: ReadRequest, column: Column): Translation {
  const codec = codecs[dialects[column]];
  const before: JsonValue = { code: error.code, message: error.message };
  if (column === "REST" || column === "gRPC") {
    const { status, body } = codec.encodeHttpError(error);
    const back = codec.decodeHttpError(status, body);
    const losses = findLosses(before, { code: back.code, message: back.message });
    return mark({ column, dialect: "1.0", line: `${status}`, document: body, at: [], losses });
  }
  const json = codec.encodeJsonRpcError(error);
  const back = codec.decodeJsonRpcError(json);
  const losses = findLosses(before, { code: back.code, message: back.message });
  const document = encodeJsonRpcErrorResponse(id, json);
  return mark({ column, dialect: dialects[column], document, at: ["error"], losses });
}

function encodeEvents(
  event: StreamResponse,
  read: ReadRequest,
  dialect: Dialect,
): readonly JsonValue[] {
  const { taskId } = idsOf(read.request);
  return codecs[dialect].encodeEvent(event, {
    artifactIndex: () => 0,
    ...(taskId === undefined ? {} : { taskId }),
  });
}

/** 0.1 tells a task as several events: what they say together. */
function joinEvents(events: readonly StreamResponse[]): unknown {
  const [first] = events;
  if (events.length < 2 || first === undefined) return first;
  const task: Record<string, unknown> = {};
  const artifacts: unknown[] = [];
  for (const event of events) {
    if ("statusUpdate" in event) {
      const { taskId, contextId, status, metadata } = event.statusUpdate;
      Object.assign(task, { id: taskId, contextId, status, metadata });
    } else if ("artifactUpdate" in event) {
      artifacts.push(event.artifactUpdate.artifact);
    } else if ("task" in event) Object.assign(task, event.task);
  }
  return { task: { ...task, ...(artifacts.length > 0 ? { artifacts } : {}) } };
}

interface Draft {
  readonly column: Column;
  readonly dialect: Dialect;
  readonly line?: string;
  readonly document: JsonValue | undefined;
  /** Where in the document the model begins. */
  readonly at: readonly string[];
  readonly losses: readonly Loss[];
}

/** Puts what was lost where it would have been, and says why it is not there. */
function mark({ column, dialect, line, document, at, losses }: Draft): Translation {
  const lost = new Set<string>();
  const whole = document === undefined ? undefined : structuredClone(document);
  const root = at.reduce(memberOf, whole);
  const reasons = new Set<string>();
  for (const loss of losses) {
    reasons.add(lossReason(dialect, loss));
    if (isContainer(root)) lost.add(`${pointer(at)}${insert(root, loss)}`);
  }
  return {
    column,
    ...(line === undefined ? {} : { line }),
    ...(whole === undefined ? {} : { document: whole }),
    lost,
    losses,
    reasons: [...reasons],
  };
}

const wrappers = new Set<string | number>([
  "task",
  "message",
  "statusUpdate",
  "artifactUpdate",
  "msg",
]);

/** Puts a loss into the container in which it would be. Returns its pointer. */
function insert(root: Extract<JsonValue, object>, { path, value, became }: Loss): string {
  // Results before 1.0 are the task itself, without a member around it.
  const [head] = path;
  const isUnwrapped =
    head !== undefined && wrappers.has(head) && memberOf(root, head) === undefined;
  const way = isUnwrapped && path.length > 1 ? path.slice(1) : path;
  let container = root;
  for (const [depth, key] of way.entries()) {
    const member = memberOf(container, key);
    if (depth < way.length - 1 && isContainer(member)) {
      container = member;
      continue;
    }
    const here = way.slice(0, depth);
    if (member !== undefined && became !== undefined) return pointer([...here, key]);
    if (Array.isArray(container)) {
      container.push(rest(way.slice(depth + 1), value));
      return pointer([...here, container.length - 1]);
    }
    const name = member === undefined ? String(key) : `${key} (lost)`;
    (container as Record<string, JsonValue>)[name] = rest(way.slice(depth + 1), value);
    return pointer([...here, name]);
  }
  return "";
}

/** A value below members that are not there either. */
function rest(path: readonly (string | number)[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }) as JsonObject, value);
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${escapePointer(String(key))}`).join("");
}

function orReason(column: Column, translation: () => Translation): Translation {
  try {
    return translation();
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    return { column, lost: new Set(), losses: [], reasons: [error.message] };
  }
}

/** As it would be written: without members that are `undefined`. */
function asJson(value: unknown): JsonValue {
  return (value === undefined ? null : JSON.parse(JSON.stringify(value))) as JsonValue;
}
