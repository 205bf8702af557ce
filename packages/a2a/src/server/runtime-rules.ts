import {
  callback,
  checkOptions,
  fields,
  telemetry,
  text,
  withMethods,
} from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";
import { agentProblem } from "./author/check-agent.js";
import type { RuntimeOptions } from "./runtime-options.js";
import { settingRules } from "./setting-rules.js";

const store: Rule = withMethods(
  ["append", "load", "check"],
  "a store, such as createMemoryStore() or await openSqliteStore({ path })",
);

const agent: Rule = {
  problem(value, option) {
    const problem = agentProblem(value);
    return problem === undefined ? undefined : `${option}: ${problem}`;
  },
};

/** What a runtime may be given. */
export const runtimeRules: Rules<RuntimeOptions> = {
  agent,
  store,
  bus: withMethods(["publish", "subscribe"], "a bus, such as createInProcessBus()"),
  address: text('an address, such as "http://10.0.0.7:4100"'),
  settings: fields(settingRules),
  report: callback,
  pushSender: withMethods(["send", "admit"], "a sender, such as createPushSender()"),
  telemetry,
  clock: withMethods(["now", "after"], "a clock with the methods now and after"),
  newId: callback,
  random: callback,
  crypto: withMethods(["digest", "newSealKey", "createSealer"], "hashes and seals"),
};

const all: Rule = fields(runtimeRules, ["agent", "store"], "{ agent, store }");

/** Throws if a runtime cannot be opened with these options. */
export function checkRuntimeOptions(options: unknown): void {
  const caller = "openRuntime()";
  if (agentProblem(options) === undefined) {
    throw new Error(`${caller}: got an agent; expected openRuntime({ agent, store })`);
  }
  checkOptions(caller, options, all);
}
