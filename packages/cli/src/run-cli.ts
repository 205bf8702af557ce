import { commandsBelow, findCommand } from "./command-table.js";
import type { CommandOutput, ExitCode } from "./command.js";
import { UsageError } from "./usage-error.js";

/** Options in place of a command. */
const flags: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

/** Runs a command line, given without node and the script, and resolves to the exit code. Never rejects. */
export async function runCli(args: readonly string[], output: CommandOutput): Promise<ExitCode> {
  try {
    return await dispatch(args, output);
  } catch (error) {
    const { reportError } = await import("./output/report-error.js");
    return reportError(error, args, output);
  }
}

async function dispatch(args: readonly string[], output: CommandOutput): Promise<ExitCode> {
  const [first, ...others] = args;
  if (first === undefined) throw new UsageError("no command was given");
  const words = Object.hasOwn(flags, first) ? [flags[first] ?? first, ...others] : args;
  const found = findCommand(words);
  if (found === undefined) return refuse(words, output);
  const { entry, rest } = found;
  const command = await entry.load();
  if (asksForHelp(rest)) {
    output.stdout.write(command.usage);
    return 0;
  }
  try {
    return await command.run(rest, output);
  } catch (error) {
    const { explainParseError } = await import("./options/explain-parse-error.js");
    throw explainParseError(error, { hint: `parley help ${entry.name}`, usage: command.usage });
  }
}

/** Arguments without a command: the first words of several commands may ask for help. */
async function refuse(words: readonly string[], output: CommandOutput): Promise<ExitCode> {
  const [first = ""] = words;
  const below = commandsBelow(first);
  if (below.length === 0) {
    if (first.startsWith("-")) throw new UsageError(`there is no option ${first}`);
    throw (await import("./no-such-command.js")).noSuchCommand([first]);
  }
  if (asksForHelp(words)) return runCli(["help", first], output);
  const names = below.map(({ name }) => name.slice(first.length + 1)).join(", ");
  throw new UsageError(`${first} is followed by one of: ${names}`, {
    hint: `parley help ${first}`,
  });
}

/** Whether the arguments ask for help. Everything after `--`, even `--help`, is an argument. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
