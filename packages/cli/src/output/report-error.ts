import { parseArgs } from "node:util";
import type { CommandOutput, ExitCode } from "../command.js";
import { readSources, surroundings } from "../options/env-files.js";
import type { OutputFormat } from "./output-format.js";
import { writeError } from "./write-error.js";

/** Reports the error of a command line that may be wrong itself, in the format that it asks for. */
export function reportError(
  error: unknown,
  args: readonly string[],
  output: CommandOutput,
): ExitCode {
  return writeError(error, output, formatOf(args));
}

function formatOf(args: readonly string[]): OutputFormat {
  const options = { output: { type: "string", short: "o" }, config: { type: "string" } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false });
  try {
    const config = typeof values.config === "string" ? values.config : undefined;
    const sources = readSources(surroundings(), config);
    const asked = sources.map(({ variables }) => variables["A2ACLI_OUTPUT"]).find(Boolean);
    return (values.output ?? asked) === "json" ? "json" : "text";
  } catch {
    return values.output === "json" ? "json" : "text";
  }
}
