import { pick } from "../../options/internal.js";
import { eventIdExtension, stateTransitionsExtension } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentSkill,
} from "../../protocol/internal.js";
import type {
  AgentDefinition,
  ExtendedCard,
  ExtensionDefinition,
  Handler,
} from "./agent-definition.js";
import { checkDefinition } from "./check-agent.js";
import type { MethodHandler } from "./method.js";

/** A method that an extension of an agent defines. */
export interface AgentMethod {
  /** The URI of the extension. */
  readonly extension: string;
  readonly run: MethodHandler;
}

/** An agent as the runtime and the servers use it. */
export interface Agent {
  readonly name: string;
  readonly version: string;
  readonly durable: boolean;
  readonly run: Handler;
  readonly capabilities: AgentCapabilities;
  /** The methods of its extensions, by their names. */
  readonly methods: ReadonlyMap<string, AgentMethod>;
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
  const { extensions = [], extendedCard } = definition;
  const capabilities = declare(extensions, {
    streaming: true,
    ...definition.capabilities,
    ...(extendedCard !== undefined && { extendedAgentCard: true }),
  });
  const skills = definition.skills ?? [{ name, description }];
  return {
    name,
    version,
    durable,
    run,
    capabilities,
    methods: methodsOf(extensions),
    ...(extendedCard !== undefined && { extendedCard }),
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

/** Adds extensions to those that the capabilities name themselves. */
function declare(
  extensions: readonly ExtensionDefinition[],
  capabilities: AgentCapabilities,
): AgentCapabilities {
  if (extensions.length === 0) return capabilities;
  const declared = extensions.map((extension) => {
    const { methods: _, ...declaration } = extension;
    return declaration;
  });
  return { ...capabilities, extensions: [...(capabilities.extensions ?? []), ...declared] };
}

function methodsOf(extensions: readonly ExtensionDefinition[]): ReadonlyMap<string, AgentMethod> {
  return new Map(
    extensions.flatMap(({ uri: extension, methods = {} }) =>
      Object.entries(methods).map(([name, run]) => [name, { extension, run }] as const),
    ),
  );
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
