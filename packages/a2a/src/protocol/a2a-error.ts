/** The error reasons of the specification, verbatim (§5.4). */
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

/** What else can go wrong: a malformed request, a caller who may not do this, a failing system. */
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

/** Every code an `A2AError` can have. Each binding maps all of them to its own numbers. */
export const errorCodes: readonly ErrorCode[] = [...protocolErrorCodes, ...generalErrorCodes];

export type ProtocolErrorCode = (typeof protocolErrorCodes)[number];
/** What went wrong: a reason of the protocol, or a general one such as `INVALID_PARAMS`. */
export type ErrorCode = ProtocolErrorCode | (typeof generalErrorCodes)[number];

/** A wrong field of a request, by its path: `message.parts[1]`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

/** What a caller may know about an error beyond its code and message. */
export interface ErrorDetails {
  readonly fieldViolations?: readonly FieldViolation[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** How long to wait before trying again. */
  readonly retryAfterSeconds?: number;
  /** How the caller can authenticate: values of `WWW-Authenticate`. */
  readonly challenges?: readonly string[];
  /** The scopes without which the call is refused. The server's authenticator makes a challenge of them. */
  readonly requiredScopes?: readonly string[];
}

export interface A2AErrorOptions {
  readonly details?: ErrorDetails;
  /** The underlying error. For logs; no binding ever sends it. */
  readonly cause?: unknown;
}

/**
 * The only error that callers and users of this library get. `code` says what happened; `message` says what was asked and
 * what was found. Both reach the caller. Bindings translate the code into numbers and statuses.
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

  /** True also for an `A2AError` of another copy of this library, unlike `instanceof`. */
  static is(value: unknown): value is A2AError {
    return (
      value instanceof Error &&
      value.name === "A2AError" &&
      "code" in value &&
      (errorCodes as readonly unknown[]).includes(value.code)
    );
  }

  /** The value itself if it is an `A2AError`; otherwise an `INTERNAL` error with the value as its cause. */
  static from(value: unknown): A2AError {
    return A2AError.is(value)
      ? value
      : new A2AError("INTERNAL", "Internal error", { cause: value });
  }
}
