import {
  atLeast,
  callback,
  describeValue,
  either,
  fields,
  flag,
  isPromise,
  listOf,
  rule,
  secret,
  telemetry,
  text,
} from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";
import type { Limits } from "../protocol/internal.js";
import type { BindingOptions, Mount } from "./mount.js";

const limits: Rules<Limits> = {
  maxBodyBytes: atLeast(1),
  maxParts: atLeast(1),
  maxJsonDepth: atLeast(1),
  maxIdLength: atLeast(1),
  maxElements: atLeast(1),
};

/** An authenticator. Not shown: it may be a secret that was passed in its place. */
const auth: Rule = secret((value) =>
  hasMethod(value, "authenticate")
    ? undefined
    : "an authenticator: createAuthenticator({ schemes })",
);

/** The authenticator of one agent, which may be none. */
export const authRule: Rule = either((value) => value === false, auth);

const fileBytes: Rule = rule((value) =>
  typeof value === "function"
    ? undefined
    : '"raw", "base64", or a function from the User-Agent to one of them',
);

const mount: Rules<Mount> = {
  agent: {
    problem(value, option) {
      const problem = mountableProblem(value);
      return problem === undefined ? undefined : `${option}: ${problem}`;
    },
  },
  path: rule((value) => (typeof value === "string" ? undefined : 'a path, such as "/travel"')),
  tenant: text("the name of a tenant"),
  auth: authRule,
};

/** What the servers of all bindings may be given. */
export const bindingRules: Rules<BindingOptions> = {
  mounts: listOf(fields(mount, ["agent"]), "a list of mounts, such as [{ path, agent }]"),
  limits: fields(limits, ["maxBodyBytes", "maxParts", "maxJsonDepth", "maxIdLength"]),
  strict: flag,
  fileBytes: either((value) => value === "raw" || value === "base64", fileBytes),
  trustsProxy: rule((value) =>
    typeof value === "function" ? undefined : 'a function, such as trustProxies(["10.0.0.0/8"])',
  ),
  auth,
  reportFailure: callback,
  telemetry,
  trustTraceparent: flag,
};

/** Whether a value is, or was meant to be, an agent to mount and not a set of options. */
export function isMeantAsAgent(value: unknown): boolean {
  if (typeof value !== "object" || value === null || isPromise(value)) return true;
  return ["service", "run", "card"].some((name) => name in value);
}

/** What is wrong with a value in the place of an agent that servers mount, in words; nothing if it is one. */
export function mountableProblem(value: unknown): string | undefined {
  const opened = "await openRuntime({ agent, store })";
  if (isPromise(value)) return `got ${describeValue(value)}; expected a runtime: ${opened}`;
  const hasCard = hasMethod(value, "card");
  if (hasMethod(value, "run")) {
    const { name } = value as { readonly name?: unknown };
    const shown = typeof name === "string" ? describeValue(name) : "it";
    const found = hasCard ? "an agent without a runtime" : "the definition of an agent";
    const wanted = hasCard ? opened : "await openRuntime({ agent: agent({ … }), store })";
    return `${shown} is ${found}; expected a runtime: ${wanted}`;
  }
  const isMountable = hasCard && typeof (value as { service?: unknown }).service === "object";
  if (isMountable) return undefined;
  const shown = value === undefined ? "nothing" : describeValue(value);
  return `got ${shown}; expected a runtime: ${opened}`;
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as Readonly<Record<string, unknown>>)[name] === "function"
  );
}
