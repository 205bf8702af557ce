import { environmentName, ruleOf } from "./option-table.js";
import type { OptionName } from "./option-table.js";

const width = 100;
const column = 27;

/** The lines of a help text that describe options. */
export function optionHelp(names: readonly OptionName[]): readonly string[] {
  return names.flatMap((name) => {
    const { short, aliases = [], value, help, default: preset } = ruleOf(name);
    const long = [name, ...aliases].map((one) => `--${one}`).join(", ");
    const flag = `  ${short === undefined ? "    " : `-${short}, `}${long}${value === undefined ? "" : ` ${value}`}`;
    const lines = wrap(preset === undefined ? help : `${help}; default ${preset}`, width - column);
    const [first = "", ...rest] = lines;
    const indent = " ".repeat(column);
    return flag.length < column - 1
      ? [flag.padEnd(column) + first, ...rest.map((line) => indent + line)]
      : [flag, ...lines.map((line) => indent + line)];
  });
}

/** The sentence of a help text that says what the environment can set. */
export function environmentHelp(names: readonly OptionName[]): readonly string[] {
  const isSettable = names.some((name) => environmentName(name) !== undefined);
  if (!isSettable) return [];
  return [
    "Options come from the command line, else from the environment (--agent-card is A2ACLI_AGENT_CARD), else from",
    "the nearest .env, else from ~/.config/a2a-cli/.env. `parley config show` says which value came from where.",
  ];
}

function wrap(text: string, length: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > length) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
