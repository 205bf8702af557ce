import type { A2AError, ErrorCode, JsonObject, Operation } from "../../protocol/internal.js";
import type { GrpcVersion } from "../dialect.js";
import { decodeTypedError } from "./decode-error.js";
import { grpcStatusCodes, grpcStatuses } from "./grpc-status.js";
import { typedDetails } from "./typed-details.js";

/** An error as gRPC carries it, the details in their JSON form with `@type`. */
export interface GrpcError {
  readonly status: number;
  readonly message: string;
  readonly details: readonly JsonObject[];
}

/** A status alone says little, so the reason is always among the details (§10.6). */
export function encodeGrpcError(error: A2AError, version: GrpcVersion): GrpcError {
  return {
    status: grpcStatusCodes[grpcStatuses[version][error.code]],
    message: error.message,
    details: typedDetails(error, true),
  };
}

/**
 * What a status alone says. Servers of 0.3 and 1.0.0 answer UNIMPLEMENTED to what they do not offer;
 * CANCELLED and DEADLINE_EXCEEDED mean that nobody waits any more.
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

/** The error of a peer: by its reason, else by its status and what it was asked for. */
export function decodeGrpcError(
  { status, message, details }: GrpcError,
  operation?: Operation,
): A2AError {
  const isUncancelable =
    operation === "cancelTask" && status === grpcStatusCodes.FAILED_PRECONDITION;
  const code = isUncancelable ? "TASK_NOT_CANCELABLE" : (byStatus[status] ?? "INTERNAL");
  return decodeTypedError(details, { code, message });
}
