import { checkOptions, fields } from "../options/internal.js";
import type { Rules } from "../options/internal.js";
import type { MountableAgent } from "../protocol/internal.js";
import { isMeantAsAgent, mountableProblem } from "./binding-rules.js";
import type { BindingOptions } from "./mount.js";

/**
 * The options of a server that may have been given an agent in place of mounts: it is mounted at the root. Throws, in
 * the name of the caller, for options that do not keep their rules.
 */
export function optionsOf<Options extends BindingOptions>(
  caller: string,
  rules: Rules<Options>,
  given: MountableAgent | Options,
  further: Omit<Options, "mounts">,
): Options {
  const isAgent = isMeantAsAgent(given);
  const problem = isAgent ? mountableProblem(given) : undefined;
  if (problem !== undefined) throw new Error(`${caller}: ${problem}`);
  const all = fields<BindingOptions>(rules, ["mounts"]);
  checkOptions(caller, further, fields(rules));
  const options = { ...further, ...(isAgent ? { mounts: [{ agent: given }] } : given) };
  checkOptions(caller, options, all);
  return options as Options;
}
