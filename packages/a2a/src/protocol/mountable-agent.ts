import type { AgentCard, AgentInterface } from "./agent-card.js";
import type { AgentService } from "./agent-service.js";
import type { CallContext } from "./call-context.js";

/**
 * How busy an agent is. "saturated": messages wait, save those of callers that have nothing at work. "full": messages
 * are refused, whoever sends them.
 */
export type AgentLoad = "light" | "saturated" | "full";

/** An agent that servers can mount: its service and its card. A runtime is one. */
export interface MountableAgent {
  /** Answers the calls. */
  readonly service: AgentService;
  /** The agent's card for a server that offers these interfaces. */
  card(interfaces: readonly AgentInterface[]): AgentCard;
  /** The methods of extensions that the service answers. Servers answer "method not found" to all others. */
  readonly methods?: readonly string[];
  /**
   * The dialect that a task was created in, for requests whose method and body several dialects share.
   * `undefined` for a task that the caller cannot see.
   */
  createdIn?(taskId: string, call: CallContext): Promise<string | undefined>;
  /** Rejects while the agent cannot answer calls, for instance without its store; servers ask it for `/readyz`. */
  check?(): Promise<void>;
  /**
   * What is not as it should be although the agent answers calls, in words, by what it is about: `bus`, `clock`, `lease`. Servers
   * say so at `/readyz`, where it leaves them ready.
   */
  warnings?(): Readonly<Record<string, string>>;
  /** How busy the agent is; servers say so at `/readyz`, where one that is "full" is not ready. */
  load?(): AgentLoad;
}
