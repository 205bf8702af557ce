import {
  both,
  fields,
  flag,
  listOf,
  mediaRange,
  recordOf,
  rule,
  text,
} from "../../options/internal.js";
import type { Rule, Rules } from "../../options/internal.js";
import { isProtocolMethod, methodNameForm } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  AgentExtension,
  AgentProvider,
  AgentSkill,
} from "../../protocol/internal.js";
import type { AgentDefinition, ExtensionDefinition } from "./agent-definition.js";

const texts: Rule = listOf(text(), "a list of strings");
const modes: Rule = listOf(mediaRange, 'a list of media types, such as ["text/plain"]');
const object: Rule = recordOf({ problem: () => undefined }, "an object");
const requirements: Rule = listOf(object, "a list of requirements, such as [{ oidc: [] }]");

const run: Rule = rule((value) => {
  if (typeof value !== "function") return "a function that answers a message";
  // Its outputs could not be awaited.
  const isPlainGenerator = Object.prototype.toString.call(value) === "[object GeneratorFunction]";
  return isPlainGenerator ? "async function*, not function*" : undefined;
});

const skills: Rules<AgentSkill> = {
  id: text(),
  name: text('a name, such as "Translate"'),
  description: text(),
  tags: texts,
  examples: texts,
  inputModes: modes,
  outputModes: modes,
  securityRequirements: requirements,
};

const provider: Rules<AgentProvider> = { organization: text(), url: text() };

const declaration: Rules<AgentExtension> = {
  uri: text("the URI of the extension"),
  description: text(),
  required: flag,
  params: object,
};

const method: Rule = rule((value) => {
  if (typeof value !== "function") return "a function that answers a call";
  const isGenerator = /Generator/.test(Object.prototype.toString.call(value));
  return isGenerator ? "a function that answers once, not function*" : undefined;
});

/** The names of methods. One that the protocol has, in any version, would never be called. */
const methodNames: Rule = {
  problem(value, option) {
    for (const name of Object.keys(value as object)) {
      const shown = `${option}[${JSON.stringify(name)}]`;
      if (isProtocolMethod(name)) {
        return `${shown} is a method of the protocol itself; expected another name`;
      }
      if (!methodNameForm.test(name)) {
        return `${shown} is no name for a method; expected letters, digits and _ . - :, with slashes between them, such as "acme/quote"`;
      }
    }
    return undefined;
  },
};

const extension: Rules<ExtensionDefinition> = {
  ...declaration,
  methods: both(
    recordOf(method, 'methods by their names, such as { "acme/quote": quote }'),
    methodNames,
  ),
};
const form = "a list of extensions, such as [{ uri }]";

/** Each URI and each method once, over all extensions. */
const once: Rule = {
  problem(value, option) {
    const given = value as readonly ExtensionDefinition[];
    const names = given.flatMap(({ methods = {} }) => Object.keys(methods));
    const twice = firstTwice(given.map(({ uri }) => uri)) ?? firstTwice(names);
    return twice === undefined ? undefined : `${option} has ${JSON.stringify(twice)} twice`;
  },
};

function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}

const capabilities: Rules<AgentCapabilities> = {
  streaming: flag,
  pushNotifications: flag,
  extendedAgentCard: flag,
  stateTransitionHistory: flag,
  extensions: listOf(fields(declaration, ["uri"]), form),
};

const rules: Rules<AgentDefinition> = {
  name: text('a name, such as "Echo"'),
  description: text("a sentence that says what the agent does"),
  run,
  durable: flag,
  version: text('a version, such as "1.0.0"'),
  skills: listOf(fields(skills, ["name"]), "a list of skills, such as [{ name }]"),
  inputModes: modes,
  outputModes: modes,
  provider: fields(provider, ["organization", "url"]),
  documentationUrl: text("a URL"),
  iconUrl: text("a URL"),
  capabilities: fields(capabilities),
  extensions: both(listOf(fields(extension, ["uri"]), form), once),
  securitySchemes: object,
  securityRequirements: requirements,
  extendedCard: rule((value) =>
    typeof value === "function"
      ? undefined
      : "a function that makes the card of an authenticated caller: (card, call) => ({ ...card })",
  ),
};

/** What an author may write in a definition. */
export const definitionRule: Rule = both(fields(rules, ["name", "description", "run"]), {
  problem(value) {
    const { extensions = [], capabilities: { extensions: others = [] } = {} } =
      value as AgentDefinition;
    const twice = firstTwice([...others, ...extensions].map(({ uri }) => uri));
    return twice === undefined
      ? undefined
      : `extensions has ${JSON.stringify(twice)}, which capabilities.extensions has too; expected it once`;
  },
});
