export { nearestTo } from "./nearest.js";
/**
 * Checks of what authors and operators write: the options of each function, and plain words for what is wrong with
 * them. Has no knowledge of A2A. Only servers import it: the client stays small.
 */
export { checkOptions } from "./check-options.js";
export { describeValue, isPromise } from "./describe-value.js";
export { listenError } from "./listen-error.js";
export { pick, withDefaults } from "./pick.js";
export { both, either, fields, isObject, listOf, recordOf, rule, secret } from "./rule.js";
export type { Rule, Rules } from "./rule.js";
export {
  atLeast,
  baseUrl,
  callback,
  count,
  flag,
  mediaRange,
  oneOf,
  port,
  telemetry,
  text,
  timerMs,
  ageMs,
  withMethods,
} from "./rules.js";
