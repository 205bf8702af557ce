import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import type { Binding } from "../../src/grpc/binding.js";
import { binding as binding03 } from "../../src/grpc/v0.3/binding.js";
import { binding as binding10 } from "../../src/grpc/v1.0/binding.js";
import type { MethodType } from "../../src/grpc/wire-format.js";
import type {
  JsonObject,
  Operation,
  RequestOf,
  UnaryOperation,
} from "../../src/protocol/internal.js";
import { streamResponse } from "../support/arbitraries/model.js";
import { agentCards } from "../support/arbitraries/agent-cards.js";
import { clientCursor, serverCursor } from "./exchange.js";
import { forget } from "./forget.js";
import { requests, results } from "../support/arbitraries/operations.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";
import { rounds } from "../support/rounds.js";

const numRuns = rounds(100);

describe.each([
  ["1.0", binding10],
  ["0.3", binding03],
] as const)("a message of %s", (version, binding) => {
  const has = Object.values(binding.operations);
  const unary = has.filter((operation): operation is PlainOperation => operation in results);

  it.each(has)("that asks for %s arrives as it was sent", (operation) => {
    fc.assert(
      fc.property(requests[operation], (request) => {
        const received = sendRequest(binding, operation, request);
        const expected = withoutZero(forget[binding.codec.dialect].request(operation, request));
        expectEqual(received, version === "0.3" ? as03(operation, expected) : expected);
      }),
      { numRuns },
    );
  });

  it.each(unary)("that answers %s arrives as it was sent", (operation) => {
    fc.assert(
      fc.property(results[operation], requests[operation], (result, given) => {
        const request = { ...given, ...(operation === "listTasks" && { includeArtifacts: true }) };
        const json = encodeResult(binding, operation, result, request as never);
        const received = readResult(binding, operation, throughBytes(binding, operation, json));
        expectEqual(received, forget[binding.codec.dialect].result(operation, result, request));
      }),
      { numRuns },
    );
  });

  it("that tells of an event arrives as it was sent", () => {
    fc.assert(
      fc.property(streamResponse, fc.boolean(), (event, final) => {
        const [json = {}] = binding.codec.encodeEvent(event, { final });
        const bytes = throughBytes(binding, "sendStreamingMessage", json as JsonObject);
        const received = binding.codec.decodeEvent(bytes, clientCursor(), {});
        const [expected] = forget[binding.codec.dialect].event(event);
        expectEqual(received, expected);
      }),
      { numRuns },
    );
  });

  it("that is a card arrives as it was sent", () => {
    fc.assert(
      fc.property(agentCards, (card) => {
        const json = binding.codec.encodeAgentCard(card);
        const decoded = throughBytes(binding, "getExtendedAgentCard", json);
        expectEqual(
          outcome(() => binding.codec.decodeAgentCard(decoded, clientCursor())),
          outcome(() => binding.codec.decodeAgentCard(json, clientCursor())),
        );
      }),
      { numRuns },
    );
  });
});

function methodOf(binding: Binding, operation: Operation): MethodType {
  const entries = Object.entries(binding.operations);
  const name = entries.find(([, one]) => one === operation)?.[0] ?? "";
  return binding.service.methods[name] as MethodType;
}

function throughBytes(binding: Binding, operation: Operation, json: JsonObject): unknown {
  const { response } = methodOf(binding, operation);
  return response.decode(response.encode(json));
}

function sendRequest<O extends Operation>(
  binding: Binding,
  operation: O,
  request: RequestOf<O>,
): RequestOf<O> {
  const { request: type } = methodOf(binding, operation);
  const encode = binding.codec.encodeRequest[operation] as (request: RequestOf<O>) => JsonObject;
  const bytes = type.encode(binding.writeRequest(operation, encode(request)));
  const cursor = serverCursor();
  const json = binding.readRequest(operation, type.decode(bytes), cursor);
  return binding.codec.decodeRequest[operation](json, cursor);
}

function encodeResult(
  binding: Binding,
  operation: UnaryOperation,
  result: unknown,
  request: never,
): JsonObject {
  const encode = binding.codec.encodeResult[operation] as (
    result: unknown,
    request: never,
  ) => JsonObject | null;
  return encode(result, request) ?? {};
}

function readResult(binding: Binding, operation: UnaryOperation, json: unknown): unknown {
  return binding.codec.decodeResult[operation](json, clientCursor(), {});
}

/** In protobuf a state of 0 and none are the same. */
function withoutZero(request: unknown): unknown {
  const { status, ...others } = request as { readonly status?: unknown };
  return status === "TASK_STATE_UNSPECIFIED" ? others : request;
}

/** In the 0.3 protobuf no history and all of it are the same, and canceling has no metadata. */
function as03(operation: Operation, request: unknown): unknown {
  const copy = structuredClone(request) as Record<string, unknown>;
  const configuration = copy["configuration"] as Record<string, unknown> | undefined;
  for (const owner of [copy, configuration]) {
    if (owner?.["historyLength"] === 0) delete owner["historyLength"];
  }
  if (operation === "cancelTask") delete copy["metadata"];
  return copy;
}

/** Bytes have many spellings in base64, and whole seconds two; those that came through protobuf have the usual one. */
function expectEqual(actual: unknown, expected: unknown): void {
  deepStrictEqual(inUsualForm(actual), inUsualForm(expected));
}

function inUsualForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inUsualForm);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "string") return [name, inUsualForm(member)];
    if (name === "raw") return [name, Buffer.from(member, "base64").toString("base64")];
    const isTime = name === "timestamp" || name === "statusTimestampAfter";
    return [name, isTime ? member.replace(/(T[\d:]{8})Z$/, "$1.000Z") : member];
  });
  return Object.fromEntries(members) as unknown;
}

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}
