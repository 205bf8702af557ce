/** The command line is wrong, and nothing was done. `hint` is a command that helps. */
export class UsageError extends Error {
  readonly hint: string;

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "UsageError";
    this.hint = options.hint ?? "parley help";
  }
}
