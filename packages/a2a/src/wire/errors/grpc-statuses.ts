import type { ErrorCode } from "../../protocol/internal.js";

/** The names and numbers of gRPC statuses. */
export const grpcStatusCodes = {
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;

export type GrpcStatus = keyof typeof grpcStatusCodes;

const currentStatuses = {
  TASK_NOT_FOUND: "NOT_FOUND",
  TASK_NOT_CANCELABLE: "FAILED_PRECONDITION",
  PUSH_NOTIFICATION_NOT_SUPPORTED: "FAILED_PRECONDITION",
  UNSUPPORTED_OPERATION: "FAILED_PRECONDITION",
  CONTENT_TYPE_NOT_SUPPORTED: "INVALID_ARGUMENT",
  INVALID_AGENT_RESPONSE: "INTERNAL",
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: "FAILED_PRECONDITION",
  EXTENSION_SUPPORT_REQUIRED: "FAILED_PRECONDITION",
  VERSION_NOT_SUPPORTED: "FAILED_PRECONDITION",
  PARSE_ERROR: "INVALID_ARGUMENT",
  INVALID_REQUEST: "INVALID_ARGUMENT",
  METHOD_NOT_FOUND: "UNIMPLEMENTED",
  INVALID_PARAMS: "INVALID_ARGUMENT",
  REQUEST_TOO_LARGE: "RESOURCE_EXHAUSTED",
  UNAUTHENTICATED: "UNAUTHENTICATED",
  PERMISSION_DENIED: "PERMISSION_DENIED",
  RESOURCE_EXHAUSTED: "RESOURCE_EXHAUSTED",
  CONCURRENT_MODIFICATION: "ABORTED",
  UNAVAILABLE: "UNAVAILABLE",
  INTERNAL: "INTERNAL",
} as const satisfies Readonly<Record<ErrorCode, GrpcStatus>>;

/** 0.3 defines no statuses. Its servers answer UNIMPLEMENTED to operations they do not support. */
const earlierStatuses = {
  ...currentStatuses,
  PUSH_NOTIFICATION_NOT_SUPPORTED: "UNIMPLEMENTED",
  UNSUPPORTED_OPERATION: "UNIMPLEMENTED",
} as const satisfies Readonly<Record<ErrorCode, GrpcStatus>>;

/** The gRPC status of every error, by version of the service (§5.4). */
export const grpcStatuses: Readonly<
  Record<"0.3" | "1.0", Readonly<Record<ErrorCode, GrpcStatus>>>
> = { "0.3": earlierStatuses, "1.0": currentStatuses };
