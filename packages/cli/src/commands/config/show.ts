import type { Command } from "../../command.js";
import { defineCommand } from "../../options/define-command.js";
import { environmentName, optionTable, ruleOf } from "../../options/option-table.js";
import type { OptionName } from "../../options/option-table.js";
import { textLine } from "../../output/text-form.js";
import { writeDocument } from "../../output/write-json.js";

const isSettable = (name: string): name is OptionName =>
  name in optionTable && environmentName(name as OptionName) !== undefined;
const settable = Object.keys(optionTable).filter(isSettable);

/** Shows where the values of options come from. */
export const configShowCommand: Command = defineCommand({
  name: "config show",
  about: [
    "Shows the value of each option that the environment or a file can set, and where it comes from: flag, environment,",
    "the path of a file, or default. Secrets are not shown. Changes nothing.",
  ],
  options: settable,
  examples: ["config show", "config show --config staging.env -o json"],
  async run({ values, sources, output, format }) {
    const rows = settable.map((name) => {
      const value = values[name];
      const isSet =
        value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
      const shown = ruleOf(name).isSecret === true && isSet ? "[redacted]" : value;
      return { name, value: shown ?? null, source: sources[name], variable: environmentName(name) };
    });
    if (format === "json") {
      const settings = rows.map(({ name, ...row }) => [name, row] as const);
      writeDocument(output.stdout, Object.fromEntries(settings));
      return;
    }
    for (const { name, value, source } of rows) {
      const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
      output.stdout.write(textLine(name, text === "" ? `(${source})` : `${text} (${source})`));
    }
  },
});
