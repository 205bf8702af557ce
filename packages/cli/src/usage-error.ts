/** The command line was not understood; nothing was done. `hint` is the next command to run. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "UsageError";
    this.hint = options.hint ?? "parley help";
  }

  /** Recognises what `parseArgs` of node:util throws; anything else is returned as it is. */
  static from(error: unknown, hint: string): unknown {
    if (!(error instanceof TypeError) || !("code" in error)) return error;
    if (!String(error.code).startsWith("ERR_PARSE_ARGS_")) return error;
    return new UsageError(error.message, { hint, cause: error });
  }
}
