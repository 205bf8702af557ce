import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestOf, ResultOf } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import {
  clientCursor,
  dialects,
  exchangeResult,
  hasOperation,
  plainOperations,
  throughJson,
} from "./exchange.js";
import { forget } from "./forget.js";
import { requests, results } from "../support/arbitraries/operations.js";
import type { PlainOperation } from "../support/arbitraries/operations.js";
import { rounds } from "../support/rounds.js";

const numRuns = rounds(30);

describe.each(dialects)("a result in dialect %s", (dialect) => {
  const [has, lacks] = [true, false].map((wanted) =>
    plainOperations.filter((operation) => hasOperation(dialect, operation) === wanted),
  );

  it.each(has ?? [])("of %s arrives as it was, but for what the dialect cannot say", (one) => {
    verifies("binding:data-model", "push:flat-config");
    checkResult(dialect, one);
  });

  it.each(lacks ?? [])("of %s is refused by both ends, for the version does not have it", (one) => {
    const { encodeResult, decodeResult } = codecs[dialect];
    const expected = { name: "A2AError", code: "UNSUPPORTED_OPERATION" };
    expect(() => encodeResult[one]({} as never, {} as never)).toThrow(
      expect.objectContaining(expected),
    );
    expect(() => decodeResult[one]({}, clientCursor(), {})).toThrow(
      expect.objectContaining(expected),
    );
  });
});

function checkResult<O extends PlainOperation>(dialect: Dialect, operation: O): void {
  const { encodeResult } = codecs[dialect];
  fc.assert(
    fc.property(results[operation], requests[operation], (result, given) => {
      const request = { ...given, ...askFor(operation) };
      const received = exchangeResult(dialect, operation, { result, request });
      deepStrictEqual(received, forget[dialect].result(operation, result, request));
      const json = encodeResult[operation](result, request);
      deepStrictEqual(throughJson(json), json, "nothing is undefined");
      deepStrictEqual(
        encodeResult[operation](received, request),
        json,
        "it is written alike again",
      );
    }),
    { numRuns },
  );
}

/** A list has artifacts only when they were asked for. */
function askFor<O extends PlainOperation>(operation: O): Partial<RequestOf<O>> {
  return (operation === "listTasks" ? { includeArtifacts: true } : {}) as Partial<RequestOf<O>>;
}

describe("a list of tasks in dialect 1.0", () => {
  const page: ResultOf<"listTasks"> = {
    tasks: [
      { id: "t1", status: { state: "TASK_STATE_WORKING" } },
      {
        id: "t2",
        status: { state: "TASK_STATE_WORKING" },
        artifacts: [{ artifactId: "a", parts: [{ text: "x" }] }],
      },
    ],
    nextPageToken: "",
    pageSize: 50,
    totalSize: 2,
  };
  const artifactsOf = (request: RequestOf<"listTasks">): unknown => {
    const json = codecs["1.0"].encodeResult.listTasks(page, request);
    return (json as unknown as typeof page).tasks.map((task) => task.artifacts);
  };

  it("has no artifacts unless they are asked for", () => {
    verifies("list:omit-artifacts");
    expect(artifactsOf({})).toEqual([undefined, undefined]);
    expect(artifactsOf({ includeArtifacts: false })).toEqual([undefined, undefined]);
  });

  it("has the artifacts of every task, even where there are none, when they are asked for", () => {
    verifies("list:include-artifacts");
    expect(artifactsOf({ includeArtifacts: true })).toEqual([[], page.tasks[1]?.artifacts]);
  });

  it("has all four members even when nothing was found", () => {
    verifies("list:response-fields");
    const empty = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
    expect(codecs["1.0"].encodeResult.listTasks(empty, {})).toEqual(empty);
  });
});
