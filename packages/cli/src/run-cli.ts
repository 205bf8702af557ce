import type { Command, CommandOutput, ExitCode } from "./command.js";
import { clusterCommand } from "./commands/cluster.js";
import { drainCommand } from "./commands/drain.js";
import { createHelpCommand } from "./commands/help.js";
import { migrateCommand } from "./commands/migrate.js";
import { serveCommand } from "./commands/serve.js";
import { translateCommand } from "./commands/translate.js";
import { versionCommand } from "./commands/version.js";
import { UsageError } from "./usage-error.js";

/** All commands, in the order of `parley help`. Each command is a file in `commands/`. */
const commands = new Map<string, Command>();
for (const command of [
  createHelpCommand(commands),
  versionCommand,
  serveCommand,
  migrateCommand,
  clusterCommand,
  drainCommand,
  translateCommand,
]) {
  commands.set(command.name, command);
}

const flags: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
};

/** Runs a command line, given without node and the script, and resolves to the exit code. Never rejects. */
export async function runCli(args: readonly string[], output: CommandOutput): Promise<ExitCode> {
  try {
    return await dispatch(args, output);
  } catch (error) {
    output.stderr.write(`Error: ${error instanceof Error ? error.message : String(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    output.stderr.write(`Hint: ${error.hint}\n`);
    return 2;
  }
}

async function dispatch(args: readonly string[], output: CommandOutput): Promise<ExitCode> {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError("no command was given");
  const command = commands.get(Object.hasOwn(flags, first) ? (flags[first] ?? first) : first);
  if (command === undefined) {
    throw new UsageError(
      first.startsWith("-") ? `there is no option ${first}` : `there is no command ${first}`,
    );
  }
  if (asksForHelp(rest)) {
    output.stdout.write(command.usage);
    return 0;
  }
  try {
    return await command.run(rest, output);
  } catch (error) {
    throw UsageError.from(error, `parley help ${command.name}`);
  }
}

/** Whether the arguments ask for help. Everything after `--`, even `--help`, is an argument. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes("--help") || options.includes("-h");
}
