import { parseArgs } from "node:util";
import type { Command } from "../command.js";
import { UsageError } from "../usage-error.js";

/** Creates the command that lists all commands or shows the usage of one. */
export function createHelpCommand(commands: ReadonlyMap<string, Command>): Command {
  return {
    name: "help",
    summary: "show the commands, or one command's usage",
    usage: "Usage: parley help [command]\n",
    async run(args, output) {
      const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
      const [name, ...rest] = positionals;
      if (rest.length > 0)
        throw new UsageError(`help takes one command, but ${positionals.length} were given`);
      if (name === undefined) {
        output.stdout.write(overview(commands));
        return 0;
      }
      const command = commands.get(name);
      if (command === undefined) throw new UsageError(`there is no command ${name}`);
      output.stdout.write(command.usage);
      return 0;
    },
  };
}

function overview(commands: ReadonlyMap<string, Command>): string {
  const rows = [...commands.values()].map(({ name, summary }) => [name, summary] as const);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "Usage: parley <command> [options]",
    "",
    "Commands:",
    ...rows.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "",
  ].join("\n");
}
