import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";
import { UsageError } from "../usage-error.js";
import { readSources, surroundings } from "./env-files.js";
import type { OptionSource, Surroundings } from "./env-files.js";
import { environmentName, ruleOf } from "./option-table.js";
import type { OptionName, OptionValues } from "./option-table.js";

/** An option on the command line, in the order in which it was given. */
export interface GivenOption {
  readonly name: OptionName;
  readonly value: string | undefined;
}

/** A command line that was read. */
export interface ReadOptions<N extends OptionName> {
  readonly values: OptionValues<N>;
  /** Where each value came from: `flag`, `environment`, the path of a file, or `default`. */
  readonly sources: Readonly<Record<N, string>>;
  readonly positionals: readonly string[];
  /** The options of the command line alone, in order. */
  readonly given: readonly GivenOption[];
}

type Parsed = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads a command line. An option that is not there comes from the environment, then from the `.env` file of `--config`
 * or else the nearest one upward, then from the user's own, then from its default.
 */
export function readOptions<N extends OptionName>(
  names: readonly N[],
  args: readonly string[],
  around: Surroundings = surroundings(),
): ReadOptions<N> {
  const given: GivenOption[] = [];
  const canonical = new Map<string, N>();
  const options: Parsed = {};
  for (const name of names) {
    const { type, short, aliases = [] } = ruleOf(name);
    for (const one of [name, ...aliases]) {
      canonical.set(one, name);
      options[one] = {
        type,
        multiple: true,
        ...(one === name && short !== undefined && { short }),
      };
    }
  }
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    const name = token.kind === "option" ? canonical.get(token.name) : undefined;
    if (token.kind === "option" && name !== undefined) given.push({ name, value: token.value });
  }
  const config = given.findLast(({ name }) => name === "config")?.value;
  const others = readSources(around, config);
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const name of names) {
    const { value, source } = settle(name, given, others);
    values[name] = value;
    sources[name] = source;
  }
  // The table says which option has which type of value; `settle` goes by it.
  return {
    values: values as OptionValues<N>,
    sources: sources as Record<N, string>,
    positionals,
    given,
  };
}

interface Settled {
  readonly value: string | boolean | readonly string[] | undefined;
  readonly source: string;
}

function settle(
  name: OptionName,
  given: readonly GivenOption[],
  others: readonly OptionSource[],
): Settled {
  const rule = ruleOf(name);
  const flags = given.filter((one) => one.name === name).map(({ value }) => value ?? "");
  const last = flags.at(-1);
  if (last !== undefined) {
    if (rule.type === "boolean") return { value: true, source: "flag" };
    if (flags.includes("")) throw new UsageError(`--${name} is empty; give a value`);
    return { value: rule.multiple === true ? flags : last, source: "flag" };
  }
  const variable = environmentName(name);
  const places = variable === undefined ? [] : others.slice(0, rule.isNotInFiles ? 1 : Infinity);
  for (const { name: source, variables } of places) {
    const text = variables[variable ?? ""];
    if (text === undefined || text === "") continue;
    if (rule.type === "boolean") return { value: parseSwitch(variable ?? "", text), source };
    return { value: rule.multiple === true ? splitList(text) : text, source };
  }
  if (rule.type === "boolean") return { value: false, source: "default" };
  return { value: rule.multiple === true ? [] : rule.default, source: "default" };
}

function parseSwitch(variable: string, text: string): boolean {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  if (/^(?:0|false|no|off)$/i.test(text)) return false;
  throw new UsageError(`${variable} must be true or false, not ${text}`);
}

/** A list in the environment has commas between its values. A comma within a parameter's value is not one of them. */
function splitList(text: string): readonly string[] {
  const pieces = text.includes(":") ? text.split(/,\s*(?=[\w.-]+:)/) : text.split(",");
  return pieces.map((one) => one.trim()).filter((one) => one !== "");
}
