import { isObject } from "./rule.js";
import type { Rule } from "./rule.js";

/**
 * Throws if options do not keep their rule. The error begins with the caller, such as `serve()`, and names the option,
 * its value and what was expected.
 */
export function checkOptions(caller: string, options: unknown, rule: Rule): void {
  const problem = rule.problem(options, isObject(options) ? "" : "options");
  if (problem !== undefined) throw new Error(`${caller}: ${problem}`);
}
