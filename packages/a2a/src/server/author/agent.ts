import { eventIdExtension, eventIdUri } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  AgentCard,
  AgentInterface,
  AgentProvider,
  AgentSkill,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";
import type { Outcome, Output } from "./output.js";
import type { RunContext } from "./run-context.js";

/**
 * Answers one message. A handler that only returns content answers with a direct reply; one that yields, asks
 * or takes steps creates a task. A handler may run again from its start, see `ask` and `step`.
 */
export type Handler = (
  context: RunContext,
) => Outcome | Promise<Outcome> | AsyncGenerator<Output, Outcome, void>;

/** An agent as its author writes it. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly run: Handler;
  /**
   * When the process dies during a run, another node starts the run again and replays its journal. Without
   * `durable`, the task fails.
   */
  readonly durable?: boolean;
  readonly version?: string;
  readonly skills?: readonly (Pick<AgentSkill, "name"> & Partial<AgentSkill>)[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  readonly provider?: AgentProvider;
  readonly documentationUrl?: string;
  readonly iconUrl?: string;
  readonly capabilities?: AgentCapabilities;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly securityRequirements?: readonly SecurityRequirement[];
}

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

/** Creates an agent from its definition, with defaults for what the definition leaves out. */
export function agent(definition: AgentDefinition): Agent {
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

function pick<T extends object, K extends keyof T>(source: T, names: readonly K[]): Pick<T, K> {
  const entries = names.filter((name) => source[name] !== undefined);
  return Object.fromEntries(entries.map((name) => [name, source[name]])) as Pick<T, K>;
}
