import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/protocol/internal.js";
import type { Operation } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { dialects, exchangeRequest, hasOperation, serverCursor, throughJson } from "./exchange.js";
import { forget } from "./forget.js";
import { requests } from "../support/arbitraries/operations.js";
import { rounds } from "../support/rounds.js";

const numRuns = rounds(30);

describe.each(dialects)("a request in dialect %s", (dialect) => {
  const [has, lacks] = [true, false].map((wanted) =>
    operations.filter((operation) => hasOperation(dialect, operation) === wanted),
  );

  it.each(has ?? [])("%s arrives as it was sent, but for what the dialect cannot say", (one) => {
    verifies("binding:data-model");
    checkRequest(dialect, one);
  });

  it.each(lacks ?? [])("%s is refused by both ends, for the version does not have it", (one) => {
    const { encodeRequest, decodeRequest } = codecs[dialect];
    const expected = { name: "A2AError", code: "UNSUPPORTED_OPERATION" };
    expect(() => encodeRequest[one]({} as never)).toThrow(expect.objectContaining(expected));
    expect(() => decodeRequest[one]({}, serverCursor())).toThrow(expect.objectContaining(expected));
  });
});

function checkRequest<O extends Operation>(dialect: Dialect, operation: O): void {
  const { encodeRequest } = codecs[dialect];
  fc.assert(
    fc.property(requests[operation], (request) => {
      const received = exchangeRequest(dialect, operation, request);
      deepStrictEqual(received, forget[dialect].request(operation, request));
      const json = encodeRequest[operation](request);
      deepStrictEqual(throughJson(json), json, "nothing is undefined");
      deepStrictEqual(encodeRequest[operation](received), json, "it is written alike again");
    }),
    { numRuns },
  );
}
