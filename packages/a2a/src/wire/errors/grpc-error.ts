import { errorCodes } from "../../protocol/internal.js";
import type { A2AError, ErrorCode, JsonObject, Operation } from "../../protocol/internal.js";
import type { GrpcVersion } from "../dialect.js";
import { decodeTypedError } from "./decode-error.js";
import { errorType } from "./error-type.js";
import { errorWords, wordedMessage } from "./error-words.js";
import { grpcStatusCodes, grpcStatuses } from "./grpc-statuses.js";
import { typedDetails } from "./typed-details.js";

/** An error over gRPC. The details are in JSON, with `@type`. */
export interface GrpcError {
  readonly status: number;
  readonly message: string;
  readonly details: readonly JsonObject[];
}

/**
 * Encodes an error. Its details have the reason, because the status alone says little (§10.6). The official Python
 * client of 0.3 reads no details: for it, the message of an error that 0.3 defines begins with the name of the error.
 */
export function encodeGrpcError(error: A2AError, version: GrpcVersion): GrpcError {
  const { code } = error;
  const message = wordedMessage(error);
  return {
    status: grpcStatusCodes[grpcStatuses[version][code]],
    message: version === "0.3" && code in errorWords ? `${errorType(code)}: ${message}` : message,
    details: typedDetails(error),
  };
}

/**
 * The error that a status alone stands for. Servers of 0.3 and 1.0.0 answer UNIMPLEMENTED to operations
 * they do not support. CANCELLED and DEADLINE_EXCEEDED mean that nobody waits any more.
 */
const byStatus: Readonly<Record<number, ErrorCode>> = {
  1: "UNAVAILABLE",
  3: "INVALID_PARAMS",
  4: "UNAVAILABLE",
  5: "TASK_NOT_FOUND",
  7: "PERMISSION_DENIED",
  8: "RESOURCE_EXHAUSTED",
  9: "UNSUPPORTED_OPERATION",
  10: "CONCURRENT_MODIFICATION",
  12: "UNSUPPORTED_OPERATION",
  14: "UNAVAILABLE",
  16: "UNAUTHENTICATED",
};

/**
 * How servers of 0.3 name an error that has no details: at the beginning of the message, as the specification names it
 * (`TaskNotCancelableError: Task cannot be canceled`).
 */
const named = /^(\w+)Error: (.*)$/s;

/** Names that are not those of the model in another spelling. */
const otherNames: Readonly<Record<string, ErrorCode>> = {
  JSONParse: "PARSE_ERROR",
  AuthenticatedExtendedCardNotConfigured: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
};

/** The error of a name such as `TaskNotCancelable`. */
function codeOfName(name: string): ErrorCode | undefined {
  const spelled = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  return otherNames[name] ?? errorCodes.find((code) => code === spelled);
}

/** Decodes the error of a peer: by its reason, or else by its name, or else by its status and the operation. */
export function decodeGrpcError(
  { status, message, details }: GrpcError,
  operation?: Operation,
): A2AError {
  const [, name = "", rest] = named.exec(message) ?? [];
  const code = codeOfName(name);
  if (code !== undefined) return decodeTypedError(details, { code, message: rest });
  const implied = codeOf(status, operation) ?? byStatus[status] ?? "INTERNAL";
  return decodeTypedError(details, { code: implied, message });
}

/** What a status means as the answer to an operation, where it means something else than otherwise. */
function codeOf(status: number, operation: Operation | undefined): ErrorCode | undefined {
  const { FAILED_PRECONDITION, UNIMPLEMENTED } = grpcStatusCodes;
  if (operation === "cancelTask" && status === FAILED_PRECONDITION) return "TASK_NOT_CANCELABLE";
  return operation === "callMethod" && status === UNIMPLEMENTED ? "METHOD_NOT_FOUND" : undefined;
}
