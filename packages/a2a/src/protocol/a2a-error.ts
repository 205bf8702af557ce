/** The protocol's own reasons, verbatim (§5.4). */
export const protocolErrorCodes = [
  "TASK_NOT_FOUND",
  "TASK_NOT_CANCELABLE",
  "PUSH_NOTIFICATION_NOT_SUPPORTED",
  "UNSUPPORTED_OPERATION",
  "CONTENT_TYPE_NOT_SUPPORTED",
  "INVALID_AGENT_RESPONSE",
  "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  "EXTENSION_SUPPORT_REQUIRED",
  "VERSION_NOT_SUPPORTED",
] as const;

/** What can go wrong around an operation: the request itself, the caller, the system. */
export const generalErrorCodes = [
  "PARSE_ERROR",
  "INVALID_REQUEST",
  "METHOD_NOT_FOUND",
  "INVALID_PARAMS",
  "REQUEST_TOO_LARGE",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "CONCURRENT_MODIFICATION",
  "UNAVAILABLE",
  "INTERNAL",
] as const;

/** Every code an `A2AError` can have. Each binding's error map answers all of them. */
export const errorCodes: readonly ErrorCode[] = [...protocolErrorCodes, ...generalErrorCodes];

export type ProtocolErrorCode = (typeof protocolErrorCodes)[number];
/** What went wrong: a reason of the protocol, or a general one such as `INVALID_PARAMS`. */
export type ErrorCode = ProtocolErrorCode | (typeof generalErrorCodes)[number];

/** A field of a request that is wrong, by its path: `message.parts[1]`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** What a caller may know about an error beyond its code and message. */
export interface ErrorDetails {
  readonly fieldViolations?: readonly FieldViolation[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** When trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** How to authenticate: values of `WWW-Authenticate`. */
  readonly challenges?: readonly string[];
}

export interface A2AErrorOptions {
  readonly details?: ErrorDetails;
  /** What went wrong underneath. For logs; no binding ever sends it. */
  readonly cause?: unknown;
}

/**
 * The one error of this library. `code` says what happened, `message` what was asked and what was
 * found; both reach the caller. Numbers and statuses are the bindings' business.
 */
export class A2AError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: A2AErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.name = "A2AError";
    this.code = code;
    this.details = options.details ?? {};
  }

  /** Recognises an `A2AError` of another copy of this library, which `instanceof` does not. */
  static is(value: unknown): value is A2AError {
    return (
      value instanceof Error &&
      value.name === "A2AError" &&
      "code" in value &&
      (errorCodes as readonly unknown[]).includes(value.code)
    );
  }

  /** The value itself if it is an `A2AError`; otherwise `INTERNAL`, with the value kept as cause only. */
  static from(value: unknown): A2AError {
    return A2AError.is(value)
      ? value
      : new A2AError("INTERNAL", "Internal error", { cause: value });
  }
}
