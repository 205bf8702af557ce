import { UsageError } from "../usage-error.js";

export type OutputFormat = "text" | "json";

/** The format of `--output`. */
export function parseFormat(text: string, hint = "parley help"): OutputFormat {
  if (text === "text" || text === "json") return text;
  throw new UsageError(`--output must be text or json, not ${text}`, { hint });
}
