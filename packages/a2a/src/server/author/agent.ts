import { pick } from "../../options/internal.js";
import { eventIdExtension, stateTransitionsExtension } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentSkill,
} from "../../protocol/internal.js";
import type { AgentDefinition, Handler } from "./agent-definition.js";
import { checkDefinition } from "./check-agent.js";

/** An agent as the runtime and the servers use it. */
export interface Agent {
  readonly name: string;
  readonly version: string;
  readonly durable: boolean;
  readonly run: Handler;
  readonly capabilities: AgentCapabilities;
  /** The card of this agent, served at the given interfaces. */
  card(interfaces: readonly AgentInterface[]): AgentCard;
}

/**
 * Creates an agent from its definition, with defaults for what the definition leaves out. Throws for an option that is
 * unknown or of another type than expected.
 */
export function agent(definition: AgentDefinition): Agent {
  checkDefinition(definition);
  const { name, description, run, durable = false, version = "0.0.0" } = definition;
  const inputModes = definition.inputModes ?? ["text/plain"];
  const outputModes = definition.outputModes ?? ["text/plain"];
  const capabilities = { streaming: true, ...definition.capabilities };
  const skills = definition.skills ?? [{ name, description }];
  return {
    name,
    version,
    durable,
    run,
    capabilities,
    card: (supportedInterfaces) => ({
      name,
      description,
      version,
      supportedInterfaces,
      capabilities: withOwnExtensions(capabilities),
      defaultInputModes: inputModes,
      defaultOutputModes: outputModes,
      skills: skills.map(completeSkill),
      ...pick(definition, [
        "provider",
        "documentationUrl",
        "iconUrl",
        "securitySchemes",
        "securityRequirements",
      ]),
    }),
  };
}

/** Declares what this runtime adds: the ids of events, since every stream can be resumed, and the states of tasks. */
function withOwnExtensions(capabilities: AgentCapabilities): AgentCapabilities {
  const { streaming, stateTransitionHistory, extensions = [] } = capabilities;
  const own: readonly AgentExtension[] = [
    ...(streaming === true ? [eventIdExtension] : []),
    ...(stateTransitionHistory === true ? [stateTransitionsExtension] : []),
  ];
  const missing = own.filter(({ uri }) => extensions.every((one) => one.uri !== uri));
  if (missing.length === 0) return capabilities;
  return { ...capabilities, extensions: [...extensions, ...missing] };
}

function completeSkill(skill: Pick<AgentSkill, "name"> & Partial<AgentSkill>): AgentSkill {
  const { id = slug(skill.name), description = skill.name, tags = [] } = skill;
  return { ...skill, id, description, tags };
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["skill"];
  return words.join("-");
}
