import { pick } from "../../options/internal.js";
import { eventIdExtension, eventIdUri } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentSkill,
} from "../../protocol/internal.js";
import type { AgentDefinition, ExtendedCard, Handler } from "./agent-definition.js";
import { checkDefinition } from "./check-agent.js";

/** An agent as the runtime and the servers use it. */
export interface Agent {
  readonly name: string;
  readonly version: string;
  readonly durable: boolean;
  readonly run: Handler;
  readonly capabilities: AgentCapabilities;
  readonly extendedCard?: ExtendedCard;
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
  const { extendedCard } = definition;
  const capabilities: AgentCapabilities = {
    streaming: true,
    ...definition.capabilities,
    ...(extendedCard !== undefined && { extendedAgentCard: true }),
  };
  const skills = definition.skills ?? [{ name, description }];
  return {
    name,
    version,
    durable,
    run,
    capabilities,
    ...(extendedCard !== undefined && { extendedCard }),
    card: (supportedInterfaces) => ({
      name,
      description,
      version,
      supportedInterfaces,
      capabilities: resumable(capabilities),
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

/** Declares the event id extension: every stream of this runtime can be resumed. */
function resumable(capabilities: AgentCapabilities): AgentCapabilities {
  const { streaming, extensions = [] } = capabilities;
  if (streaming !== true || extensions.some(({ uri }) => uri === eventIdUri)) return capabilities;
  return { ...capabilities, extensions: [...extensions, eventIdExtension] };
}

function completeSkill(skill: Pick<AgentSkill, "name"> & Partial<AgentSkill>): AgentSkill {
  const { id = slug(skill.name), description = skill.name, tags = [] } = skill;
  return { ...skill, id, description, tags };
}

function slug(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["skill"];
  return words.join("-");
}
