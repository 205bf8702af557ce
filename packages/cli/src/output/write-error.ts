import type { CommandOutput, ExitCode } from "../command.js";
import { CliError } from "./cli-error.js";
import type { OutputFormat } from "./output-format.js";
import { textLine } from "./text-form.js";
import { writeJsonLine } from "./write-json.js";

/**
 * Reports an error and returns its exit code. In JSON the error is the one document of the output, on one line, so that
 * it can also be the last line of a stream. In text it goes to stderr.
 */
export function writeError(error: unknown, output: CommandOutput, format: OutputFormat): ExitCode {
  const found = CliError.from(error);
  const { code, message, hint = null, a2aCode = null } = found;
  if (format === "json") {
    writeJsonLine(output.stdout, { error: { code, message, hint, a2aCode } });
    return found.exitCode;
  }
  output.stderr.write(textLine("Error", message));
  if (found.isOfAgent) output.stderr.write(textLine("Code", code));
  if (hint !== null) output.stderr.write(textLine("Hint", hint));
  return found.exitCode;
}
