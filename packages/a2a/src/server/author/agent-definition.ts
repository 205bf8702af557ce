import type {
  AgentCapabilities,
  AgentExtension,
  AgentCard,
  AgentProvider,
  AgentSkill,
  CallContext,
  SecurityRequirement,
  SecurityScheme,
} from "../../protocol/internal.js";
import type { MethodHandler } from "./method.js";
import type { Outcome, Output } from "./output.js";
import type { RunContext } from "./run-context.js";

/**
 * Answers one message. A handler that only returns content answers with a direct reply; one that yields, asks
 * or takes steps creates a task. A handler may run again from its start, see `ask` and `step`.
 */
export type Handler = (
  context: RunContext,
) => Outcome | Promise<Outcome> | AsyncGenerator<Output, Outcome, void>;

/** An extension of the protocol that an agent supports, and the methods that it adds (§4.6). */
export interface ExtensionDefinition extends AgentExtension {
  /**
   * The methods, by their names, such as `acme/quote`. Callers reach them in calls that activate the extension, over
   * every binding.
   */
  readonly methods?: Readonly<Record<string, MethodHandler>>;
}

/**
 * Makes the card for one authenticated caller out of the public one: `(card) => ({ ...card, skills: […] })`. The caller is
 * `call.principal`. A card without interfaces, as the given one is, gets those of the public card.
 */
export type ExtendedCard = (card: AgentCard, call: CallContext) => AgentCard | Promise<AgentCard>;

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
  /** Extensions of the protocol, with the methods that they add. The card declares them. */
  readonly extensions?: readonly ExtensionDefinition[];
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  readonly securityRequirements?: readonly SecurityRequirement[];
  /**
   * The extended card, for authenticated callers. The public card says that there is one. `serve` needs `auth` for it, or
   * `settings: { extendedCardForAnyone: true }`.
   */
  readonly extendedCard?: ExtendedCard;
}
