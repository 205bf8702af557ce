import { fields, flag, listOf, mediaRange, recordOf, rule, text } from "../../options/internal.js";
import type { Rule, Rules } from "../../options/internal.js";
import type {
  AgentCapabilities,
  AgentExtension,
  AgentProvider,
  AgentSkill,
} from "../../protocol/internal.js";
import type { AgentDefinition } from "./agent-definition.js";

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

const extensions: Rules<AgentExtension> = {
  uri: text("the URI of the extension"),
  description: text(),
  required: flag,
  params: object,
};

const capabilities: Rules<AgentCapabilities> = {
  streaming: flag,
  pushNotifications: flag,
  extendedAgentCard: flag,
  extensions: listOf(fields(extensions, ["uri"]), "a list of extensions, such as [{ uri }]"),
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
  securitySchemes: object,
  securityRequirements: requirements,
  extendedCard: rule((value) =>
    typeof value === "function"
      ? undefined
      : "a function that makes the card of an authenticated caller: (card, call) => ({ ...card })",
  ),
};

/** What an author may write in a definition. */
export const definitionRule: Rule = fields(rules, ["name", "description", "run"]);
