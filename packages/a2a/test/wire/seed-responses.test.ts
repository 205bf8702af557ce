import { describe, expect, it } from "vitest";
import { isStreaming } from "../../src/protocol/internal.js";
import type {
  ErrorCode,
  ErrorDetails,
  JsonObject,
  Operation,
} from "../../src/protocol/internal.js";
import type { Codec, KnownIds } from "../../src/wire/codec.js";
import { codecs } from "../../src/wire/codecs.js";
import { decodeAgentCard } from "../../src/wire/decode-agent-card.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { parseJsonRpcResponse } from "../../src/wire/detect/json-rpc-envelope.js";
import type { JsonRpcId } from "../../src/wire/detect/json-rpc-envelope.js";
import { parseJson } from "../../src/wire/detect/parse-json.js";
import { loadFixtures } from "../support/files/load-fixtures.js";
import { peerCursor } from "./read.js";

/** What a peer writes, and what it is read as. */
interface Reading {
  readonly wire: JsonObject;
  readonly model?: JsonObject;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: ErrorDetails;
  };
  readonly idMismatch?: boolean;
}

interface ResponseFixture {
  readonly source: string;
  readonly binding: "JSONRPC" | "HTTP+JSON" | "push" | "card";
  /** The dialects whose codecs all read it alike. */
  readonly dialects?: readonly Dialect[];
  readonly operation?: Operation;
  readonly requestId?: JsonRpcId;
  readonly known?: KnownIds;
  readonly answers: readonly Reading[];
}

const fixtures = loadFixtures<ResponseFixture>("seeds", (path) => path.includes("/responses/"));

/** One case for each answer in each dialect. */
const cases = fixtures.flatMap((fixture) =>
  (fixture.dialects ?? [undefined]).flatMap((dialect) =>
    fixture.answers.map((answer, index) => ({
      ...fixture,
      answer,
      title: `${fixture.name}, answer ${index}${dialect === undefined ? "" : ` in ${dialect}`}`,
      codec: codecs[dialect ?? "1.0"],
    })),
  ),
);

type Case = (typeof cases)[number];

describe("what a seed prints as an answer is understood by a client", () => {
  it.each(cases.filter(({ answer }) => answer.model !== undefined))(
    "reads $title ($source)",
    (one) => {
      expect(readAnswer(one)).toStrictEqual(one.answer.model);
    },
  );

  it.each(cases.filter(({ answer }) => answer.error !== undefined))(
    "reads the error of $title ($source)",
    ({ codec, requestId = null, answer }) => {
      const response = parseJsonRpcResponse(overTheWire(answer.wire), requestId);
      if (!("error" in response)) throw new Error("expected an error, got a result");
      const { code, message, details } = codec.decodeJsonRpcError(response.error);
      expect({ code, message, details }).toStrictEqual({ details: {}, ...answer.error });
    },
  );

  it("covers every seed and every binding", () => {
    const seeds = new Set(fixtures.map(({ name }) => name.slice(0, 1)));
    expect([...seeds]).toEqual(["0", "1", "2", "3", "4"]);
    const bindings = new Set(fixtures.map(({ binding }) => binding));
    expect([...bindings].toSorted()).toEqual(["HTTP+JSON", "JSONRPC", "card", "push"]);
  });
});

function readAnswer({ binding, codec, operation, requestId = null, known = {}, answer }: Case) {
  const wire = overTheWire(answer.wire);
  const cursor = peerCursor();
  switch (binding) {
    case "card":
      return decodeAgentCard(wire, { cursor });
    case "push":
      return codec.decodePushPayload(wire, cursor);
    case "HTTP+JSON":
      return decodeAnswer(codec, operation, wire, known);
    case "JSONRPC": {
      const response = parseJsonRpcResponse(wire, requestId);
      if (!("result" in response)) throw new Error("expected a result, got an error");
      expect(response.idMismatch).toBe(answer.idMismatch ?? false);
      return decodeAnswer(codec, operation, response.result, known);
    }
  }
}

function decodeAnswer(
  codec: Codec,
  operation: Operation | undefined,
  json: unknown,
  known: KnownIds,
): unknown {
  if (operation === undefined) throw new Error("expected the fixture to name its operation");
  return isStreaming(operation)
    ? codec.decodeEvent(json, peerCursor(), known)
    : codec.decodeResult[operation](json, peerCursor(), known);
}

function overTheWire(json: JsonObject): unknown {
  return parseJson(JSON.stringify(json));
}
