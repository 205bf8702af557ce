import { describe, expect, it } from "vitest";
import { A2AError, isStreaming, operations } from "../../src/protocol/internal.js";
import type { A2AErrorOptions } from "../../src/protocol/a2a-error.js";
import type { ErrorCode, JsonObject, JsonValue, Operation } from "../../src/protocol/internal.js";
import type { Codec, EventContext, JsonRpcError } from "../../src/wire/codec.js";
import { codecs } from "../../src/wire/codecs.js";
import { detectGrpc } from "../../src/wire/detect/detect-grpc.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { isDiscoveryPath } from "../../src/wire/card/discovery-path.js";
import {
  encodeJsonRpcErrorResponse,
  encodeJsonRpcResult,
  parseJsonRpcRequest,
  requestId,
} from "../../src/wire/detect/json-rpc-envelope.js";
import type { JsonRpcId } from "../../src/wire/detect/json-rpc-envelope.js";
import { parseJson } from "../../src/wire/detect/parse-json.js";
import { requestedVersion } from "../../src/wire/version.js";
import { loadFixtures } from "../support/files/load-fixtures.js";
import {
  detectMethod,
  detectPath,
  printEvent,
  readEvent,
  readRequest,
  readResult,
  refusal,
} from "./read.js";

/** One answer: what the agent says and how it is printed for this caller. */
interface Answer {
  /** An event of a streaming operation and a result of any other, unless said. */
  readonly as?: "error" | "push";
  readonly model: JsonObject;
  /** For an event, one message or the list of them. */
  readonly wire: unknown;
  /** The stream closes after this event. */
  readonly final?: boolean;
  /** The artifacts of the task so far, by which 0.1 counts. */
  readonly artifactIds?: readonly string[];
  /** For a push notification, the task it is about. */
  readonly task?: JsonObject;
}

interface RequestFixture {
  readonly source: string;
  readonly http?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly request?: JsonObject;
  readonly createdIn?: Dialect;
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly model: JsonObject;
  readonly answers: readonly Answer[];
}

const fixtures = loadFixtures<RequestFixture>("seeds", (path) => !path.includes("/responses/"));

describe.each(fixtures)("$name ($source)", (fixture) => {
  const { request, operation, dialect, model, answers } = fixture;

  it("is recognised by what the request contains", () => {
    const detected = detect(fixture);
    expect(detected.operation).toBe(operation);
    expect(detected.dialect).toBe(dialect);
  });

  it("is read into the canonical model", () => {
    const detected = detect(fixture);
    const decoded = readRequest(detected.dialect, detected.operation, detected.params);
    expect(decoded).toStrictEqual(model);
  });

  it.each(answers.map((answer, index) => [index, answer] as const))(
    "is answered in the caller's own spelling (answer %i)",
    (_, answer) => {
      const printed = printAnswer(codecs[dialect], fixture, answer);
      const expected = listOf(fixture, answer);
      expect(printed).toStrictEqual(expected);
      const id = requestId(request);
      if (id === null || answer.as === "push") return;
      const member = answer.as === "error" ? "error" : "result";
      expect(printed.map((one) => encodeResponse(answer, one, id))).toStrictEqual(
        expected.map((wire) => ({ jsonrpc: "2.0", id, [member]: wire })),
      );
    },
  );
});

/** What each seed has a request for, be it printed, listed or described by a type. */
const covered: Readonly<Record<string, readonly Operation[]>> = {
  "0-core-methods": [
    "sendMessage",
    "sendStreamingMessage",
    "getTask",
    "cancelTask",
    "subscribeToTask",
    "createTaskPushNotificationConfig",
    "getExtendedAgentCard",
  ],
  "1-rpc-methods": [
    "sendMessage",
    "sendStreamingMessage",
    "getTask",
    "cancelTask",
    "subscribeToTask",
    "createTaskPushNotificationConfig",
    "getTaskPushNotificationConfig",
  ],
  "2-documentation": ["sendMessage", "getTask", "cancelTask"],
  "3-technical-specification": [
    "sendMessage",
    "sendStreamingMessage",
    "getTask",
    "cancelTask",
    "subscribeToTask",
    "createTaskPushNotificationConfig",
    "getTaskPushNotificationConfig",
    "getExtendedAgentCard",
  ],
  "4-api-methods": operations,
};

describe("the fixtures of the seeds", () => {
  it.each(Object.entries(covered))("have a request for every operation of %s", (seed, expected) => {
    const found = fixtures.filter(({ name }) => name.startsWith(`${seed}/`));
    expect(new Set(found.map(({ operation }) => operation))).toEqual(new Set(expected));
  });

  it("have an answer for every request", () => {
    expect(fixtures.filter(({ answers }) => answers.length === 0)).toEqual([]);
  });

  it("state their answers in the model's own form", () => {
    const isForeign = ({ as, model }: Answer) =>
      as !== undefined || "headers" in model || hasSeveralSchemes(model);
    const { encodeResult } = codecs["1.0"];
    for (const { operation, answers } of fixtures) {
      for (const answer of answers.filter((one) => !isForeign(one))) {
        const model = answer.model as never;
        if (isStreaming(operation)) {
          const [event] = printEvent("1.0", model);
          expect(readEvent("1.0", event)).toStrictEqual(answer.model);
        } else if (operation !== "deleteTaskPushNotificationConfig") {
          const request = { includeArtifacts: true } as never;
          const result = encodeResult[operation](model, request);
          expect(readResult("1.0", operation, result)).toStrictEqual(answer.model);
        }
      }
    }
  });
});

describe("the gRPC column of seed 0's table", () => {
  it.each(["SendMessage", "SendStreamingMessage", "GetTask", "CancelTask", "TaskSubscription"])(
    "leads %s to the service of 0.3",
    (method) => {
      const path = `/a2a.v1.A2AService/${method}`;
      expect(detectGrpc({ path, version: undefined })).toEqual({ version: "0.3", method });
    },
  );
});

describe("the discovery endpoints of seeds 3 and 4", () => {
  it.each(["/.well-known/agent.json", "/.well-known/agent-card.json"])("include %s", (path) => {
    expect(isDiscoveryPath(path)).toBe(true);
  });
});

describe("a sample that is not JSON as printed", () => {
  it.each([
    [
      "a comment (seed 0, tasks/get)",
      '{"jsonrpc":"2.0","id":"req-002","method":"tasks/get","params":{"id":"task-789","historyLength":10 // Optional: Limit history\n}}',
    ],
    [
      "a trailing comma (seed 2, flow 2)",
      '{"jsonrpc":"2.0","id":2,"method":"message/send","params":{"message":{"role":"user","parts":[{"type":"text","text":"x"}]},}}',
    ],
  ])("is refused as malformed for %s", (_, text) => {
    const error = refusal(() => parseJson(text));
    expect(codecs["0.3"].encodeJsonRpcError(error).code).toBe(-32700);
  });
});

function detect({ http, request, createdIn }: RequestFixture): ReturnType<typeof detectPath> {
  const version = requestedVersion({ header: http?.headers?.["A2A-Version"] });
  const body = request === undefined ? undefined : parseJson(JSON.stringify(request));
  if (http !== undefined && request?.["jsonrpc"] === undefined) {
    return detectPath(`${http.method} ${http.path}`, { version, createdIn, body });
  }
  const { method, params } = parseJsonRpcRequest(body);
  return { ...detectMethod(method, { version, createdIn, params }), params };
}

function printAnswer(codec: Codec, fixture: RequestFixture, answer: Answer): readonly unknown[] {
  const { operation } = fixture;
  const model = answer.model as never;
  if (answer.as === "error") return [codec.encodeJsonRpcError(errorOf(answer.model))];
  if (answer.as === "push") return [codec.encodePushPayload(model, answer.task as never).body];
  return isStreaming(operation)
    ? codec.encodeEvent(model, eventContext(fixture, answer))
    : [codec.encodeResult[operation](model, fixture.model as never)];
}

function eventContext(
  { model }: RequestFixture,
  { final = false, artifactIds = [] }: Answer,
): EventContext {
  const message = model["message"] as JsonObject | undefined;
  const taskId = message?.["taskId"] ?? model["id"];
  return {
    final,
    artifactIndex: (id) => artifactIds.indexOf(id),
    ...(typeof taskId === "string" && { taskId }),
  };
}

function listOf({ operation }: RequestFixture, { as, wire }: Answer): readonly unknown[] {
  return as === undefined && isStreaming(operation) && Array.isArray(wire) ? wire : [wire];
}

function encodeResponse({ as }: Answer, wire: unknown, id: JsonRpcId): JsonObject {
  return as === "error"
    ? encodeJsonRpcErrorResponse(id, wire as JsonRpcError)
    : encodeJsonRpcResult(id, wire as JsonValue);
}

function errorOf(model: JsonObject): A2AError {
  const { code, message, ...options } = model as unknown as A2AErrorOptions & {
    readonly code: ErrorCode;
    readonly message: string;
  };
  return new A2AError(code, message, options);
}

function hasSeveralSchemes(model: JsonObject): boolean {
  return JSON.stringify(model).includes('"schemes":["');
}
