import { errorCodes } from "../../protocol/internal.js";
import type { A2AError, ErrorCode, JsonObject, Operation } from "../../protocol/internal.js";
import type { GrpcVersion } from "../dialect.js";
import { decodeTypedError } from "./decode-error.js";
import { grpcStatusCodes, grpcStatuses } from "./grpc-statuses.js";
import { typedDetails } from "./typed-details.js";

/** An error over gRPC. The details are in JSON, with `@type`. */
export interface GrpcError {
  readonly status: number;
  readonly message: string;
  readonly details: readonly JsonObject[];
}

/** Encodes an error. Its details always have the reason, because the status alone says little (§10.6). */
export function encodeGrpcError(error: A2AError, version: GrpcVersion): GrpcError {
  return {
    status: grpcStatusCodes[grpcStatuses[version][error.code]],
    message: error.message,
    details: typedDetails(error, true),
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
  const isUncancelable =
    operation === "cancelTask" && status === grpcStatusCodes.FAILED_PRECONDITION;
  const implied = isUncancelable ? "TASK_NOT_CANCELABLE" : (byStatus[status] ?? "INTERNAL");
  const code = codeOfName(name);
  return decodeTypedError(
    details,
    code === undefined ? { code: implied, message } : { code, message: rest },
  );
}
