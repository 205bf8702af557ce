import type { ExitCode } from "../command.js";
import { UsageError } from "../usage-error.js";

/** The codes for what never reached the wire, and their exit codes. */
const exitCodes = {
  A2ACLI_ERR_USAGE: 2,
  A2ACLI_ERR_CARD_NOT_FOUND: 3,
  A2ACLI_ERR_CARD_INVALID: 1,
  A2ACLI_ERR_UNREACHABLE: 3,
  A2ACLI_ERR_CREDENTIALS_MISSING: 4,
  A2ACLI_ERR_AUTH_FAILED: 4,
  A2ACLI_ERR_TIMEOUT: 5,
  A2ACLI_ERR_INTERNAL: 1,
} as const;

export type CliErrorCode = keyof typeof exitCodes;

export interface CliErrorOptions {
  /** The next command to run. */
  readonly hint?: string;
  /** The number of the agent's error on the wire. */
  readonly a2aCode?: number;
  readonly cause?: unknown;
}

/** A command could not do its job. The code is one of the tool's own, or the name of an error of A2A. */
export class CliError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly a2aCode: number | undefined;

  /** `code` is one of the tool's own, or the name of an error of A2A such as `TaskNotFoundError`. */
  constructor(
    code: CliErrorCode | `${string}Error`,
    message: string,
    options: CliErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "CliError";
    this.code = code;
    this.hint = options.hint;
    this.a2aCode = options.a2aCode;
  }

  /** Any error as one of this class; an error that nobody expected is internal. */
  static from(error: unknown): CliError {
    if (error instanceof CliError) return error;
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof UsageError)) {
      return new CliError("A2ACLI_ERR_INTERNAL", message, { cause: error });
    }
    return new CliError("A2ACLI_ERR_USAGE", message, { hint: error.hint, cause: error });
  }

  get exitCode(): ExitCode {
    return Object.hasOwn(exitCodes, this.code) ? exitCodes[this.code as CliErrorCode] : 1;
  }

  /** Whether the agent has reported the error. */
  get isOfAgent(): boolean {
    return !this.code.startsWith("A2ACLI_ERR_");
  }
}
