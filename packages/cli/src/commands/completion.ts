import { commandTable } from "../command-table.js";
import type { Command } from "../command.js";
import { completionScript, shells } from "../completion-script.js";
import { defineCommand } from "../options/define-command.js";
import { UsageError } from "../usage-error.js";

/** Writes a script for the completion of a shell. */
export const completionCommand: Command = defineCommand({
  name: "completion",
  args: "bash|zsh|fish",
  takes: { min: 1, max: 1 },
  about: ["Writes a script that completes commands and options in a shell."],
  options: [],
  examples: [
    "completion bash > ~/.local/share/bash-completion/completions/parley",
    "completion fish | source",
  ],
  async run({ positionals, output, hint }) {
    const shell = shells.find((one) => one === positionals[0]);
    if (shell === undefined) {
      throw new UsageError(
        `there is completion for ${shells.join(", ")}, not for ${positionals[0]}`,
        { hint },
      );
    }
    const commands = await Promise.all(
      commandTable.map(async ({ name, summary, load }) => {
        const { usage } = await load();
        return { name, summary, options: [...new Set(usage.match(/(?<![\w-])--[a-z][a-z\d-]*/g))] };
      }),
    );
    output.stdout.write(completionScript(shell, commands));
  },
});
