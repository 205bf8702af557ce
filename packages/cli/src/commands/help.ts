import { parseArgs } from "node:util";
import { commandsBelow, commandTable, findCommand } from "../command-table.js";
import type { CommandEntry } from "../command-table.js";
import type { Command } from "../command.js";
import { noSuchCommand } from "../no-such-command.js";

/** Lists all commands, or shows the usage of one. */
export const helpCommand: Command = {
  usage: "Usage: parley help [command]\n\nExample:\n  parley help task get\n",
  async run(args, output) {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
    output.stdout.write(await helpOn(positionals));
    return 0;
  },
};

/** The help text for the words of a command; the list of commands without any. */
async function helpOn(words: readonly string[]): Promise<string> {
  if (words.length === 0) return listCommands("<command>", commandTable);
  const found = findCommand(words);
  if (found !== undefined && found.rest.length > 0) throw noSuchCommand(words);
  if (found !== undefined) return (await found.entry.load()).usage;
  const below = commandsBelow(words.join(" "));
  if (below.length === 0) throw noSuchCommand(words);
  return listCommands(`${words.join(" ")} <command>`, below);
}

function listCommands(synopsis: string, entries: readonly CommandEntry[]): string {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const rows = entries.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `Usage: parley ${synopsis} [options]`,
    "",
    "Commands:",
    ...rows,
    "",
    "`parley help COMMAND` shows the options of a command and an example.",
    "",
  ].join("\n");
}
