import type { Command, CommandOutput, ExitCode } from "../command.js";
import { parseFormat } from "../output/output-format.js";
import type { OutputFormat } from "../output/output-format.js";
import { UsageError } from "../usage-error.js";
import { environmentHelp, optionHelp } from "./option-help.js";
import type { OptionName } from "./option-table.js";
import { readOptions } from "./read-options.js";
import type { ReadOptions } from "./read-options.js";

/** What a command gets when it runs: its options, its arguments, and where its output goes. */
export interface Invocation<N extends OptionName = OptionName> extends ReadOptions<N> {
  /** The command, such as `task get`. */
  readonly command: string;
  readonly output: CommandOutput;
  readonly format: OutputFormat;
  /** The command that helps, for errors of usage. */
  readonly hint: string;
}

/** A command that takes its options from the table of options. */
export interface CommandDefinition<N extends OptionName> {
  /** The command as it is typed, such as `task get`. */
  readonly name: string;
  /** What comes after the command, such as `ID`. */
  readonly args?: string;
  /** How many arguments the command takes. */
  readonly takes?: { readonly min: number; readonly max: number };
  /** What the command does, a line each. */
  readonly about: readonly string[];
  readonly options: readonly N[];
  /** Command lines to try, without `parley`. */
  readonly examples: readonly [string, ...string[]];
  run(invocation: Invocation<N>): Promise<ExitCode | void>;
}

/** Makes a command of a definition: reads its options, and writes its help text. */
export function defineCommand<const N extends OptionName>(
  definition: CommandDefinition<N>,
): Command {
  const { name, options, takes = { min: 0, max: 0 } } = definition;
  const hint = `parley help ${name}`;
  return {
    usage: usageOf(definition),
    async run(args, output) {
      const read = readOptions(options, args);
      const { length } = read.positionals;
      if (length < takes.min || length > takes.max) {
        const few = `${name} takes ${definition.args ?? "no arguments"}`;
        throw new UsageError(`${few}; ${length === 0 ? "nothing was" : `${length} were`} given`, {
          hint,
        });
      }
      const { output: asked = "text" } = read.values as { readonly output?: string };
      const format = parseFormat(asked, hint);
      return (await definition.run({ ...read, command: name, output, format, hint })) ?? 0;
    },
  };
}

function usageOf<N extends OptionName>(definition: CommandDefinition<N>): string {
  const { name, args, about, options, examples } = definition;
  const sample = options.length === 0 ? "" : " [options]";
  return [
    `Usage: parley ${name}${args === undefined ? "" : ` ${args}`}${sample}`,
    "",
    ...about,
    "",
    ...optionHelp(options),
    "",
    ...environmentHelp(options),
    "",
    examples.length === 1 ? "Example:" : "Examples:",
    ...examples.map((line) => `  parley ${line}`),
    "",
  ]
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
}
