/** Requests of every operation in every dialect, right and almost right. */
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { codecs, jsonRpcMethod } from "@parley/a2a/wire";
import type { Dialect } from "@parley/a2a/wire";
import { operations } from "../../src/protocol/internal.js";
import type { JsonObject, Operation, RequestOf } from "../../src/protocol/internal.js";
import { versionOf } from "../../src/wire/dialect.js";
import { mutated } from "../support/arbitraries/mutations.js";
import { requests } from "../support/arbitraries/operations.js";
import { dialects, hasOperation } from "../wire/exchange.js";

export interface OperationRequest {
  readonly dialect: Dialect;
  readonly operation: Operation;
  /** As the dialect spells it, perhaps changed. */
  readonly params: unknown;
}

/** Where an id of a task belongs, mostly one that there is. */
const knownTask = fc.constantFrom("TASK-0", "TASK-1", "TASK-2", "TASK-3");

const words = fc.constantFrom("echo hi", "task", "ask", "wait", "stream");

const webhooks = fc.constantFrom(
  "http://127.0.0.1:1/",
  "https://hook.example/",
  "http://[::1]:9/",
  "http://user:pass@hook.example/",
  "file:///etc/passwd",
  "http://127.0.0.1:22/",
  `https://${"a.".repeat(20_000)}example/`,
  `https://hook.example/${"x".repeat(20_000)}`,
  "https://\u0000/",
  "http://0x7f.1:65536/",
  "",
);

/** Makes requests concern what there is, so that they get past the first check. */
function aimed<O extends Operation>(operation: O): Arbitrary<RequestOf<O>> {
  const aim = fc.record({ task: knownTask, text: words, url: webhooks, isAimed: fc.nat(3) });
  return fc.tuple(requests[operation], aim).map(([request, { task, text, url, isAimed }]) => {
    if (isAimed === 0) return request;
    const changed: Record<string, unknown> = { ...request };
    delete changed["tenant"];
    if ("id" in changed && !("taskId" in changed)) changed["id"] = task;
    if ("taskId" in changed) changed["taskId"] = task;
    if ("url" in changed) changed["url"] = url;
    if ("message" in changed) {
      const message = { ...(changed["message"] as JsonObject), parts: [{ text }] };
      if (isAimed !== 1) delete (message as { taskId?: unknown }).taskId;
      else Object.assign(message, { taskId: task });
      changed["message"] = message;
    }
    return changed as unknown as RequestOf<O>;
  });
}

function inDialect(dialect: Dialect, operation: Operation): Arbitrary<OperationRequest> {
  const right = aimed(operation).map((request): unknown =>
    codecs[dialect].encodeRequest[operation](request as never),
  );
  const params = fc.oneof(
    { weight: 2, arbitrary: right },
    { weight: 3, arbitrary: mutated(right) },
  );
  return params.filter(canBeWritten).map((one) => ({ dialect, operation, params: one }));
}

/** What is nested deeper than can be written is spoiled in the text instead. */
function canBeWritten(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/** Dialects that callers write; the others are answers. */
const written = dialects.filter((dialect) => dialect !== "0.1+0.3");

export function operationRequests(
  isIn: (dialect: Dialect) => boolean,
): Arbitrary<OperationRequest> {
  const pairs = written
    .filter(isIn)
    .flatMap((dialect) =>
      [...operations, "callMethod" as const]
        .filter((operation) => hasOperation(dialect, operation))
        .map((operation) => inDialect(dialect, operation)),
    );
  return fc.oneof(...pairs);
}

/** The name of the method, in the caller's dialect. */
export function methodOf({ dialect, operation, params }: OperationRequest): unknown {
  if (operation === "callMethod") return memberOf(params, "method");
  return jsonRpcMethod(dialect, operation) ?? operation;
}

/** The parameters over JSON-RPC. Those of an extension's method are its own. */
export function paramsOf({ operation, params }: OperationRequest): unknown {
  return operation === "callMethod" ? memberOf(params, "params") : params;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** What the caller says in `A2A-Version`. */
export function versionFor({ dialect }: OperationRequest): string {
  return versionOf(dialect);
}
