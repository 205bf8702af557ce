import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { A2AError, operations, protocolVersions } from "../../src/protocol/internal.js";
import type {
  AgentCard,
  ErrorCode,
  Operation,
  RequestOf,
  ResultOf,
  StreamResponse,
  Task,
} from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { parseJson } from "../../src/wire/detect/parse-json.js";
import { streamResponse, task } from "../support/arbitraries/model.js";
import { agentCards } from "../support/arbitraries/agent-cards.js";
import {
  clientCursor,
  dialects,
  eventContext,
  exchangeEvent,
  exchangeRequest,
  exchangeResult,
  hasOperation,
  plainOperations,
  serverCursor,
} from "./exchange.js";
import { forget } from "./forget.js";
import { anyJson, mutated } from "../support/arbitraries/mutations.js";
import { plainError, requests, results } from "../support/arbitraries/operations.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";
import { rounds } from "../support/rounds.js";

const numRuns = rounds(40);

/** Mostly what is almost right: readers stop at once at what is not. */
function almost(values: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof({ weight: 1, arbitrary: anyJson }, { weight: 3, arbitrary: mutated(values) });
}

/** Reads whatever comes; what is refused is refused in words that name a field. */
function fuzz<T>(
  inputs: Arbitrary<unknown>,
  code: ErrorCode,
  { read, check }: { readonly read: (json: unknown) => T; readonly check: (value: T) => void },
): void {
  fc.assert(
    fc.property(inputs, (json) => {
      let value: T;
      try {
        value = read(json);
      } catch (error) {
        if (!A2AError.is(error)) throw error;
        deepStrictEqual(error.code, code);
        const [first, ...more] = error.details.fieldViolations ?? [];
        deepStrictEqual([typeof first?.field, typeof first?.description, more], words);
        return;
      }
      JSON.stringify(value);
      check(value);
    }),
    { numRuns },
  );
}

function hasNull(json: unknown, name: string): boolean {
  return typeof json === "object" && json !== null && Reflect.get(json, name) === null;
}

const anyTask: Task = { id: "t1", status: { state: "TASK_STATE_WORKING" } };

/** Resource names cannot tell an id that looks like one of them from two ids. */
const nameSeparator = "/pushNotificationConfigs";

const words = ["string", "string", []];

/** The dialects that have the operation. */
const speakers = (operation: Operation): readonly Dialect[] =>
  dialects.filter((dialect) => hasOperation(dialect, operation));

describe.each(dialects)("in dialect %s", (dialect) => {
  const codec = codecs[dialect];
  const has = (operation: Operation): boolean => hasOperation(dialect, operation);

  const fuzzRequest = <O extends Operation>(operation: O): void => {
    const sent = requests[operation].map((request) => codec.encodeRequest[operation](request));
    fuzz<RequestOf<O>>(almost(sent), "INVALID_PARAMS", {
      read: (json) => codec.decodeRequest[operation](json, serverCursor()),
      check(request) {
        for (const other of speakers(operation)) codecs[other].encodeRequest[operation](request);
        const again = exchangeRequest(dialect, operation, request);
        deepStrictEqual(again, forget[dialect].request(operation, request));
      },
    });
  };

  const fuzzResult = <O extends PlainOperation>(operation: O): void => {
    const sent = fc
      .tuple(results[operation], requests[operation])
      .map(([result, request]) => codec.encodeResult[operation](result, request));
    const request = requestFor(operation);
    fuzz<ResultOf<O>>(almost(sent), "INVALID_AGENT_RESPONSE", {
      read: (json) => {
        // In 0.1 this is how peers say that nothing is set: no mistake of theirs.
        fc.pre(!(dialect === "0.1" && hasNull(json, "pushNotificationConfig")));
        return codec.decodeResult[operation](json, clientCursor(), {});
      },
      check(result) {
        for (const other of speakers(operation)) {
          codecs[other].encodeResult[operation](result, request);
        }
        if (dialect === "0.3-proto" && JSON.stringify(result)?.includes(nameSeparator)) return;
        const again = exchangeResult(dialect, operation, { result, request });
        deepStrictEqual(again, forget[dialect].result(operation, result, request));
      },
    });
  };

  it.each(operations.filter(has))("a request for %s is read or refused", (operation) => {
    fuzzRequest(operation);
  });

  it.each(plainOperations.filter(has))("a result of %s is read or refused", (operation) => {
    fuzzResult(operation);
  });

  it("an event is read or refused", () => {
    const sent = fc
      .tuple(streamResponse, fc.boolean())
      .map(([event, final]) => codec.encodeEvent(event, eventContext(final))[0]);
    fuzz<StreamResponse>(almost(sent), "INVALID_AGENT_RESPONSE", {
      read: (json) => codec.decodeEvent(json, clientCursor(), { taskId: "t1", contextId: "c1" }),
      check(event) {
        for (const other of dialects) codecs[other].encodeEvent(event, eventContext(false));
        deepStrictEqual(exchangeEvent(dialect, event, false), forget[dialect].event(event));
      },
    });
  });

  it("a push notification is read or refused", () => {
    const sent = fc
      .tuple(streamResponse, task)
      .map(([event, current]) => codec.encodePushPayload(event, current).body);
    fuzz<StreamResponse>(almost(sent), "INVALID_AGENT_RESPONSE", {
      read: (json) => codec.decodePushPayload(json, clientCursor()),
      check(event) {
        for (const other of dialects) {
          codecs[other].encodePushPayload(event, event.task ?? anyTask);
        }
      },
    });
  });

  it("an agent card is read or refused", () => {
    const sent = agentCards.map((card) => codec.encodeAgentCard(servedEverywhere(card)));
    fuzz<AgentCard>(almost(sent), "INVALID_AGENT_RESPONSE", {
      read: (json) => codec.decodeAgentCard(json, clientCursor()),
      check(card) {
        for (const other of dialects) codecs[other].encodeAgentCard(servedEverywhere(card));
      },
    });
  });

  it("an error is always read as some error", () => {
    const error = plainError.map(({ code, message, details }) => {
      return codec.encodeJsonRpcError(new A2AError(code, message, { details }));
    });
    const body = plainError.map(({ code, message, details }) => {
      return codec.encodeHttpError(new A2AError(code, message, { details })).body;
    });
    fc.assert(
      fc.property(almost(error), almost(body), fc.integer(), (json, answer, status) => {
        for (const read of [
          codec.decodeJsonRpcError(json),
          codec.decodeHttpError(status, answer),
        ]) {
          expect(A2AError.is(read)).toBe(true);
          expect(read.message).toBeTypeOf("string");
          for (const other of dialects) {
            JSON.stringify(codecs[other].encodeJsonRpcError(read));
            JSON.stringify(codecs[other].encodeHttpError(read));
          }
        }
      }),
      { numRuns },
    );
  });
});

describe("bytes", () => {
  const json = fc.json().map((text) => new TextEncoder().encode(text));
  const damaged = fc
    .tuple(json, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 2 }))
    .map(([bytes, changes]) => {
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      return bytes;
    });

  it("are JSON or refused as such", () => {
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), damaged), (bytes) => {
        try {
          parseJson(bytes);
        } catch (error) {
          if (!A2AError.is(error)) throw error;
          deepStrictEqual(error.code, "PARSE_ERROR");
        }
      }),
      { numRuns: rounds(500) },
    );
  });
});

/** A request whose results have everything; what else it asks does not matter. */
function requestFor<O extends Operation>(operation: O): RequestOf<O> {
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] };
  const request = { message, includeArtifacts: true, id: "t1", taskId: "t1" };
  return (operation === "sendMessage" ? { message } : request) as unknown as RequestOf<O>;
}

/** A card can be written for every version that it offers. */
function servedEverywhere(card: AgentCard): AgentCard {
  const interfaces = protocolVersions.map((protocolVersion) => ({
    url: "https://a.example",
    protocolBinding: "JSONRPC",
    protocolVersion,
  }));
  return { ...card, supportedInterfaces: [...card.supportedInterfaces, ...interfaces] };
}

afterAll(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect({}).not.toHaveProperty("polluted");
});
