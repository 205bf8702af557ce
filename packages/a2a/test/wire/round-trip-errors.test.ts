import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError, errorCodes } from "../../src/protocol/internal.js";
import type { ErrorCode, JsonObject } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { wordedMessage } from "../../src/wire/errors/error-words.js";
import { dialects, throughJson } from "./exchange.js";
import { plainError } from "../support/arbitraries/operations.js";
import type { PlainError } from "../support/arbitraries/operations.js";
import { rounds } from "../support/rounds.js";

const plain = ({ code, message, details }: A2AError): PlainError => ({ code, message, details });

const errorOf = ({ code, message, details }: PlainError): A2AError =>
  new A2AError(code, message, { details });

/**
 * JSON-RPC's own errors and failures that must not be explained. They are sent with their words only.
 */
const wordless: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "PARSE_ERROR",
  "INVALID_REQUEST",
  "METHOD_NOT_FOUND",
  "INTERNAL",
]);

/** Names that the details of versions before 1.0 use themselves, beside the metadata. */
const reserved = ["reason", "fieldViolations", "retryAfter", "details"];

/** What is left of an error after it went through a dialect, over either binding. */
function forgetError(dialect: Dialect, error: PlainError): PlainError {
  const { code, message, details } = error;
  const { metadata = {}, ...others } = details;
  if (dialect === "1.0") {
    const worded = { ...error, message: wordedMessage(errorOf(error)) };
    return wordless.has(code) ? { ...worded, details: others } : worded;
  }
  if (wordless.has(code)) return { code, message, details: {} };
  const kept = Object.entries(metadata).filter(([name]) => !reserved.includes(name));
  const rest = kept.length === 0 ? {} : { metadata: Object.fromEntries(kept) };
  return { code, message, details: { ...others, ...rest } };
}

/** What the dialect's own readers read of a body. 0.3 repeats it all in 1.0's form, for the readers of others. */
function told(body: JsonObject): JsonObject {
  const { error: _, ...others } = body;
  return "type" in others ? others : body;
}

describe.each(dialects)("an error in dialect %s", (dialect) => {
  const { encodeJsonRpcError, decodeJsonRpcError, encodeHttpError, decodeHttpError } =
    codecs[dialect];

  it("arrives over JSON-RPC as it was, but for what the dialect cannot say", () => {
    fc.assert(
      fc.property(plainError, (error) => {
        const json = encodeJsonRpcError(errorOf(error));
        deepStrictEqual(throughJson(json), json);
        const received = decodeJsonRpcError(throughJson(json));
        deepStrictEqual(plain(received), forgetError(dialect, error));
        deepStrictEqual(encodeJsonRpcError(received), json);
      }),
      { numRuns: rounds(100) },
    );
  });

  it("arrives over HTTP as it was, but for what the dialect cannot say", () => {
    fc.assert(
      fc.property(plainError, (error) => {
        const { status, body } = encodeHttpError(errorOf(error));
        deepStrictEqual(throughJson(body), body);
        const received = decodeHttpError(status, throughJson(body));
        deepStrictEqual(plain(received), forgetError(dialect, error));
        const again = encodeHttpError(received);
        deepStrictEqual({ ...again, body: told(again.body) }, { status, body: told(body) });
      }),
      { numRuns: rounds(100) },
    );
  });

  it.each(errorCodes)("says that it is %s without any details", (code) => {
    const error = new A2AError(code, "words");
    const { status, body } = encodeHttpError(error);
    expect(decodeJsonRpcError(throughJson(encodeJsonRpcError(error))).code).toBe(code);
    expect(decodeHttpError(status, throughJson(body)).code).toBe(code);
  });

  it("never carries its cause", () => {
    const error = new A2AError("UNAVAILABLE", "words", { cause: new Error("the secret") });
    const written = JSON.stringify([encodeJsonRpcError(error), encodeHttpError(error)]);
    expect(written).not.toContain("secret");
  });
});
