import { describe, expect, it } from "vitest";
import { A2AError, errorCodes, protocolErrorCodes } from "../../src/protocol/internal.js";
import type { ErrorCode, JsonObject } from "../../src/protocol/internal.js";
import { encodeError } from "../../src/grpc/error-map.js";
import { ErrorInfoMessage, StatusMessage } from "../../src/grpc/gen/google-rpc.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { encodeGrpcError } from "../../src/wire/errors/grpc-error.js";
import { grpcStatusCodes, grpcStatuses } from "../../src/wire/errors/grpc-statuses.js";
import { verifies } from "../spec/verifies.js";
import { dialects } from "./read.js";

/** One error in every binding: the number in 0.1, from 0.2 on, the HTTP status, the gRPC statuses. */
interface Row {
  readonly oldest: number;
  readonly jsonRpc: number;
  readonly http: number;
  readonly grpc: readonly [name: string, number: number];
  /** In the service of 0.3, where it differs. */
  readonly earlierGrpc?: readonly [name: string, number: number];
  /** JSON-RPC's own errors and internal ones have no reason and no metadata. */
  readonly isWordless?: true;
}

const precondition = ["FAILED_PRECONDITION", 9] as const;
const argument = ["INVALID_ARGUMENT", 3] as const;
const internal = ["INTERNAL", 13] as const;
const unimplemented = ["UNIMPLEMENTED", 12] as const;

/** The mapping of §5.4, its statuses as 1.0.1 has them, with what surrounds it. */
const matrix: Readonly<Record<ErrorCode, Row>> = {
  TASK_NOT_FOUND: { oldest: -32001, jsonRpc: -32001, http: 404, grpc: ["NOT_FOUND", 5] },
  TASK_NOT_CANCELABLE: { oldest: -32002, jsonRpc: -32002, http: 400, grpc: precondition },
  PUSH_NOTIFICATION_NOT_SUPPORTED: {
    oldest: -32003,
    jsonRpc: -32003,
    http: 400,
    grpc: precondition,
    earlierGrpc: unimplemented,
  },
  UNSUPPORTED_OPERATION: {
    oldest: -32004,
    jsonRpc: -32004,
    http: 400,
    grpc: precondition,
    earlierGrpc: unimplemented,
  },
  CONTENT_TYPE_NOT_SUPPORTED: { oldest: -32005, jsonRpc: -32005, http: 400, grpc: argument },
  INVALID_AGENT_RESPONSE: { oldest: -32004, jsonRpc: -32006, http: 500, grpc: internal },
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: {
    oldest: -32004,
    jsonRpc: -32007,
    http: 400,
    grpc: precondition,
  },
  EXTENSION_SUPPORT_REQUIRED: { oldest: -32004, jsonRpc: -32008, http: 400, grpc: precondition },
  VERSION_NOT_SUPPORTED: { oldest: -32004, jsonRpc: -32009, http: 400, grpc: precondition },
  PARSE_ERROR: { oldest: -32700, jsonRpc: -32700, http: 400, grpc: argument, isWordless: true },
  INVALID_REQUEST: { oldest: -32600, jsonRpc: -32600, http: 400, grpc: argument, isWordless: true },
  METHOD_NOT_FOUND: {
    oldest: -32601,
    jsonRpc: -32601,
    http: 404,
    grpc: unimplemented,
    isWordless: true,
  },
  INVALID_PARAMS: { oldest: -32602, jsonRpc: -32602, http: 400, grpc: argument },
  REQUEST_TOO_LARGE: {
    oldest: -32600,
    jsonRpc: -32600,
    http: 413,
    grpc: ["RESOURCE_EXHAUSTED", 8],
  },
  UNAUTHENTICATED: { oldest: -32000, jsonRpc: -32000, http: 401, grpc: ["UNAUTHENTICATED", 16] },
  PERMISSION_DENIED: { oldest: -32000, jsonRpc: -32000, http: 403, grpc: ["PERMISSION_DENIED", 7] },
  RESOURCE_EXHAUSTED: {
    oldest: -32000,
    jsonRpc: -32000,
    http: 429,
    grpc: ["RESOURCE_EXHAUSTED", 8],
  },
  CONCURRENT_MODIFICATION: { oldest: -32603, jsonRpc: -32603, http: 409, grpc: ["ABORTED", 10] },
  UNAVAILABLE: { oldest: -32603, jsonRpc: -32603, http: 503, grpc: ["UNAVAILABLE", 14] },
  INTERNAL: { oldest: -32603, jsonRpc: -32603, http: 500, grpc: internal, isWordless: true },
};

const readsOldest: ReadonlySet<Dialect> = new Set<Dialect>(["0.1", "0.1+0.3"]);

/** The specification's words, by number. -32000 is not of A2A and has none. */
const fixedTexts: Readonly<Record<number, string>> = {
  [-32700]: "Invalid JSON payload",
  [-32600]: "Request payload validation error",
  [-32601]: "Method not found",
  [-32602]: "Invalid parameters",
  [-32603]: "Internal error",
  [-32001]: "Task not found",
  [-32002]: "Task cannot be canceled",
  [-32003]: "Push Notification is not supported",
  [-32004]: "This operation is not supported",
  [-32005]: "Incompatible content types",
  [-32006]: "Invalid agent response",
  [-32007]: "Authenticated Extended Card is not configured",
  [-32008]: "Extension support required",
  [-32009]: "Version not supported",
};

/** The specification's names of errors, and after the same pattern those of the others. */
const types: Readonly<Record<ErrorCode, string>> = {
  TASK_NOT_FOUND: "TaskNotFoundError",
  TASK_NOT_CANCELABLE: "TaskNotCancelableError",
  PUSH_NOTIFICATION_NOT_SUPPORTED: "PushNotificationNotSupportedError",
  UNSUPPORTED_OPERATION: "UnsupportedOperationError",
  CONTENT_TYPE_NOT_SUPPORTED: "ContentTypeNotSupportedError",
  INVALID_AGENT_RESPONSE: "InvalidAgentResponseError",
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: "ExtendedAgentCardNotConfiguredError",
  EXTENSION_SUPPORT_REQUIRED: "ExtensionSupportRequiredError",
  VERSION_NOT_SUPPORTED: "VersionNotSupportedError",
  PARSE_ERROR: "JSONParseError",
  INVALID_REQUEST: "InvalidRequestError",
  METHOD_NOT_FOUND: "MethodNotFoundError",
  INVALID_PARAMS: "InvalidParamsError",
  REQUEST_TOO_LARGE: "RequestTooLargeError",
  UNAUTHENTICATED: "UnauthenticatedError",
  PERMISSION_DENIED: "PermissionDeniedError",
  RESOURCE_EXHAUSTED: "ResourceExhaustedError",
  CONCURRENT_MODIFICATION: "ConcurrentModificationError",
  UNAVAILABLE: "UnavailableError",
  INTERNAL: "InternalError",
};

/** The errors that are not of the specification or of JSON-RPC. */
const ownErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "REQUEST_TOO_LARGE",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "CONCURRENT_MODIFICATION",
  "UNAVAILABLE",
]);

/** The words of an error. Numbers that several errors share have those of the most general one, but for 0.1. */
function wordsOf(code: ErrorCode, dialect: Dialect, row: Row): string | undefined {
  if (readsOldest.has(dialect)) return fixedTexts[row.oldest];
  return ownErrors.has(code) ? undefined : fixedTexts[row.jsonRpc];
}

/** From 1.0 on the message also says what the case is; before, `data.details` does. */
function messageOf(code: ErrorCode, dialect: Dialect, row: Row): string {
  const words = wordsOf(code, dialect, row);
  if (words === undefined) return `about ${code}`;
  return dialect === "1.0" ? `${words}: about ${code}` : words;
}

const rows = Object.entries(matrix) as [ErrorCode, Row][];
const cases = dialects.flatMap((dialect) =>
  rows.map(([code, row]) => [code, dialect, row] as const),
);

function sample(code: ErrorCode): A2AError {
  const details = { metadata: { taskId: "t1" } };
  return new A2AError(code, `about ${code}`, { details });
}

it("has a row for every error", () => {
  expect(Object.keys(matrix).toSorted()).toEqual([...errorCodes].toSorted());
});

describe("over JSON-RPC", () => {
  it.each(cases)("%s in %s has its number, its text and its data", (code, dialect, row) => {
    verifies(
      "jsonrpc:error-codes",
      "jsonrpc:error-object",
      "jsonrpc:parse-error",
      "jsonrpc:invalid-request",
      "jsonrpc:invalid-params",
      "jsonrpc:internal-error",
    );
    const number = readsOldest.has(dialect) ? row.oldest : row.jsonRpc;
    const { code: found, message, data } = codecs[dialect].encodeJsonRpcError(sample(code));
    expect({ number: found, message }).toEqual({
      number,
      message: messageOf(code, dialect, row),
    });
    const details = `about ${code}`;
    if (dialect !== "1.0") {
      expect(data).toEqual(
        row.isWordless ? { details } : expect.objectContaining({ details, taskId: "t1" }),
      );
    } else expect(data).toEqual([errorInfo(code, row)]);
  });

  it.each(cases)("%s in %s is recognised by whoever reads it", (code, dialect, row) => {
    const read = codecs[dialect].decodeJsonRpcError(
      codecs[dialect].encodeJsonRpcError(sample(code)),
    );
    expect(read.code).toBe(code);
    const isWorded = dialect === "1.0";
    expect(read.message).toBe(isWorded ? messageOf(code, dialect, row) : `about ${code}`);
  });

  it("has the specification's words once, also when it comes from another server", () => {
    const message = "Task not found: there is no task t1";
    const passedOn = new A2AError("TASK_NOT_FOUND", message);
    expect(codecs["1.0"].encodeJsonRpcError(passedOn).message).toBe(message);
  });

  it("says in whole seconds before 1.0 when to try again", () => {
    const details = { retryAfterSeconds: 1.2 };
    const error = new A2AError("RESOURCE_EXHAUSTED", "too many", { details });
    expect(codecs["0.3"].encodeJsonRpcError(error).data).toMatchObject({ retryAfter: 2 });
  });

  it("names the fields that are wrong", () => {
    verifies("jsonrpc:bad-request");
    const fieldViolations = [{ field: "message.parts", description: "expected an array" }];
    const error = new A2AError("INVALID_PARAMS", "no parts", { details: { fieldViolations } });
    expect(codecs["1.0"].encodeJsonRpcError(error).data).toEqual([
      errorInfo("INVALID_PARAMS", { isWordless: true }),
      { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations },
    ]);
    expect(codecs["0.3"].encodeJsonRpcError(error).data).toEqual({
      reason: "INVALID_PARAMS",
      details: "no parts",
      fieldViolations,
    });
  });
});

describe("a number that a peer sends without a reason", () => {
  const meanings: readonly [number: number, oldest: ErrorCode, later: ErrorCode][] = [
    [-32700, "PARSE_ERROR", "PARSE_ERROR"],
    [-32600, "INVALID_REQUEST", "INVALID_REQUEST"],
    [-32601, "METHOD_NOT_FOUND", "METHOD_NOT_FOUND"],
    [-32602, "INVALID_PARAMS", "INVALID_PARAMS"],
    [-32603, "INTERNAL", "INTERNAL"],
    [-32001, "TASK_NOT_FOUND", "TASK_NOT_FOUND"],
    [-32002, "TASK_NOT_CANCELABLE", "TASK_NOT_CANCELABLE"],
    [-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED", "PUSH_NOTIFICATION_NOT_SUPPORTED"],
    [-32004, "UNSUPPORTED_OPERATION", "UNSUPPORTED_OPERATION"],
    [-32005, "CONTENT_TYPE_NOT_SUPPORTED", "CONTENT_TYPE_NOT_SUPPORTED"],
    // Streaming is not supported, authentication required, authorization failed, wrong task state.
    [-32006, "UNSUPPORTED_OPERATION", "INVALID_AGENT_RESPONSE"],
    [-32007, "UNAUTHENTICATED", "EXTENDED_AGENT_CARD_NOT_CONFIGURED"],
    [-32008, "PERMISSION_DENIED", "EXTENSION_SUPPORT_REQUIRED"],
    [-32009, "UNSUPPORTED_OPERATION", "VERSION_NOT_SUPPORTED"],
    [-32010, "RESOURCE_EXHAUSTED", "INTERNAL"],
    [-32011, "UNAVAILABLE", "INTERNAL"],
    [-32099, "INTERNAL", "INTERNAL"],
  ];

  it.each(meanings)("is read by the peer's version: %i", (code, oldest, later) => {
    const expected = Object.fromEntries(
      dialects.map((dialect) => [dialect, readsOldest.has(dialect) ? oldest : later]),
    );
    const error = { code, message: "no" };
    const read = dialects.map((one) => [one, codecs[one].decodeJsonRpcError(error).code]);
    expect(Object.fromEntries(read)).toEqual(expected);
  });
});

describe("over REST", () => {
  it.each(cases)("%s in %s has its status and its body", (code, dialect, row) => {
    verifies("rest:error-body", "rest:error-code", "rest:error-status", "rest:detail-type");
    const { status, body } = codecs[dialect].encodeHttpError(sample(code));
    expect(status).toBe(row.http);
    const error = {
      code: row.http,
      status: row.grpc[0],
      message: messageOf(code, "1.0", row),
      details: [errorInfo(code, row)],
    };
    if (dialect === "1.0") {
      expect(body).toEqual({ error });
      return;
    }
    const plain = codecs[dialect].encodeJsonRpcError(sample(code));
    // 0.1 has no REST; its documents at HTTP paths are refused with what it has.
    const others = readsOldest.has(dialect) ? {} : { type: types[code], error };
    expect(body).toEqual({ ...plain, ...others });
  });

  it("names the fields that are wrong", () => {
    verifies("rest:bad-request");
    const fieldViolations = [{ field: "message.parts", description: "expected an array" }];
    const error = new A2AError("INVALID_PARAMS", "no parts", { details: { fieldViolations } });
    const badRequest = { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations };
    expect(codecs["1.0"].encodeHttpError(error).body).toMatchObject({
      error: { details: expect.arrayContaining([badRequest]) as unknown },
    });
  });

  it.each(errorCodes)("%s carries its reason in 1.0", (code) => {
    verifies("rest:error-info", "jsonrpc:error-info");
    const domain = ownErrors.has(code) ? "parley" : "a2a-protocol.org";
    const info = expect.objectContaining({ reason: code, domain }) as unknown;
    const { encodeHttpError, encodeJsonRpcError } = codecs["1.0"];
    expect(encodeHttpError(sample(code)).body).toMatchObject({ error: { details: [info] } });
    expect(encodeJsonRpcError(sample(code)).data).toEqual([info]);
  });

  it.each(cases)("%s in %s is recognised by whoever reads it", (code, dialect) => {
    const { status, body } = codecs[dialect].encodeHttpError(sample(code));
    expect(codecs[dialect].decodeHttpError(status, body).code).toBe(code);
  });

  it.each<[string, number, JsonObject, ErrorCode]>([
    ["1.0.0, by its reason", 409, withReason("TASK_NOT_CANCELABLE", 409), "TASK_NOT_CANCELABLE"],
    [
      "1.0.0, by its reason",
      415,
      withReason("CONTENT_TYPE_NOT_SUPPORTED", 415),
      "CONTENT_TYPE_NOT_SUPPORTED",
    ],
    [
      "1.0.0, by its reason",
      502,
      withReason("INVALID_AGENT_RESPONSE", 502),
      "INVALID_AGENT_RESPONSE",
    ],
    ["0.3, by its number", 404, { code: -32001, message: "no" }, "TASK_NOT_FOUND"],
    ["0.3, wrapped", 500, { error: { code: -32004, message: "no" } }, "UNSUPPORTED_OPERATION"],
    ["0.3, by its status", 404, { message: "no" }, "TASK_NOT_FOUND"],
    [
      "the 1.0 candidate, by its status",
      409,
      { type: "about:blank", title: "Task not cancelable", status: 409, detail: "no" },
      "TASK_NOT_CANCELABLE",
    ],
    ["a proxy", 401, {}, "UNAUTHENTICATED"],
    ["a proxy", 403, {}, "PERMISSION_DENIED"],
    ["a proxy", 503, {}, "UNAVAILABLE"],
  ])("reads the answer of %s (%i)", (_, status, body, code) => {
    for (const dialect of ["0.3-schema", "0.3-proto", "1.0"] as const) {
      expect(codecs[dialect].decodeHttpError(status, body).code).toBe(code);
    }
  });
});

describe("over gRPC", () => {
  it.each(rows)("%s has its status", (code, { grpc, earlierGrpc = grpc }) => {
    verifies("grpc:error-status");
    const found = (version: "0.3" | "1.0") => {
      const name = grpcStatuses[version][code];
      return [name, grpcStatusCodes[name]];
    };
    expect(found("1.0")).toEqual(grpc);
    expect(found("0.3")).toEqual(earlierGrpc);
  });

  it.each(rows)(
    "%s has its words and its reason, in 0.3 the name of those that it defines",
    (code, row) => {
      const words = messageOf(code, "1.0", row);
      const details = [errorInfo(code, row)];
      expect(encodeGrpcError(sample(code), "1.0")).toMatchObject({ message: words, details });
      const message = ownErrors.has(code) ? words : `${types[code]}: ${words}`;
      expect(encodeGrpcError(sample(code), "0.3")).toMatchObject({ message, details });
    },
  );

  it.each(protocolErrorCodes)("%s carries its reason in a google.rpc.Status", (code) => {
    verifies("grpc:error-details", "grpc:error-info");
    for (const version of ["0.3", "1.0"] as const) {
      const { metadata } = encodeError(sample(code), version);
      const [bytes] = metadata?.get("grpc-status-details-bin") ?? [];
      const { details } = StatusMessage.decode(bytes as Buffer) as {
        details: readonly { readonly typeUrl: string; readonly value: string }[];
      };
      expect(details.map(({ typeUrl }) => typeUrl)).toEqual([errorInfo(code)["@type"]]);
      const info = ErrorInfoMessage.decode(Buffer.from(details[0]?.value ?? "", "base64"));
      expect(info).toMatchObject({ reason: code, domain: "a2a-protocol.org" });
    }
  });
});

function errorInfo(code: ErrorCode, { isWordless }: Partial<Row> = {}): JsonObject {
  return {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: code,
    domain: ownErrors.has(code) ? "parley" : "a2a-protocol.org",
    ...(isWordless === undefined && { metadata: { taskId: "t1" } }),
  };
}

function withReason(code: ErrorCode, status: number): JsonObject {
  return { error: { code: status, status: "UNKNOWN", message: "no", details: [errorInfo(code)] } };
}
