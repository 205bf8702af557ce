import { nearestName } from "../nearest-name.js";
import { UsageError } from "../usage-error.js";

/** What is known of the command whose options were read. */
export interface ParsedCommand {
  readonly hint: string;
  /** Its help text, which has all its options. */
  readonly usage: string;
}

/** Turns an error of `parseArgs` of node:util into a `UsageError`; returns any other error as it is. */
export function explainParseError(error: unknown, { hint, usage }: ParsedCommand): unknown {
  if (!(error instanceof TypeError) || !("code" in error)) return error;
  if (!String(error.code).startsWith("ERR_PARSE_ARGS_")) return error;
  const [, option] = /^Unknown option '([^']+)'/.exec(error.message) ?? [];
  if (option === undefined) return new UsageError(error.message, { hint, cause: error });
  const meant = nearestName(option, new Set(usage.match(/--[a-z][\w-]*/g)));
  const advice = meant === undefined ? "" : `; did you mean ${meant}?`;
  return new UsageError(`there is no option ${option}${advice}`, { hint, cause: error });
}
