/** The command line is wrong, and nothing was done. `hint` is a command that helps. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "UsageError";
    this.hint = options.hint ?? "parley help";
  }

  /** Turns an error of `parseArgs` of node:util into a `UsageError`; returns any other error as it is. */
  static from(error: unknown, hint: string): unknown {
    if (!(error instanceof TypeError) || !("code" in error)) return error;
    if (!String(error.code).startsWith("ERR_PARSE_ARGS_")) return error;
    const [, option] = /^Unknown option '([^']+)'/.exec(error.message) ?? [];
    const message = option === undefined ? error.message : `there is no option ${option}`;
    return new UsageError(message, { hint, cause: error });
  }
}
