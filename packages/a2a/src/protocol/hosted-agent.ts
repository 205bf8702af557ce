import type { AgentCard, AgentInterface } from "./agent-card.js";
import type { AgentService } from "./agent-service.js";
import type { CallContext } from "./call-context.js";

/** An agent that a server serves: the service that answers, and the card. A runtime has it as `runtime.hosted`. */
export interface HostedAgent {
  readonly service: AgentService;
  /** The agent's card, served at the given interfaces. */
  card(interfaces: readonly AgentInterface[]): AgentCard;
  /** The dialect in which a task was created, for methods that several versions share. */
  originOf?(taskId: string, call: CallContext): Promise<string | undefined>;
}
