import type { Authenticator } from "../protocol/internal.js";
import type { Agent } from "../server/internal.js";

/** An agent whose callers are known in a way of its own; `false` for anyone. */
export interface AgentWithAuth {
  readonly agent: Agent;
  readonly auth: Authenticator | false;
}

/** An agent, or several by the path each is served at. */
export type Served = Agent | Readonly<Record<string, Agent | AgentWithAuth>>;

/** Where an agent is served, and to whom. */
export interface Seat {
  readonly path: string;
  readonly agent: Agent;
  /** Absent where anyone may call. */
  readonly auth?: Authenticator;
}

/** The agents that are served. Throws for two of one name, which would answer for each other's tasks. */
export function seatsOf(served: Served, common: Authenticator | undefined): readonly Seat[] {
  const byPath = isAgent(served) ? { "/": served } : served;
  const seats = Object.entries(byPath).map(([path, one]) => {
    const { agent, auth = common } = isAgent(one) ? { agent: one } : one;
    return auth === undefined || auth === false ? { path, agent } : { path, agent, auth };
  });
  const byName = new Map<string, Agent>();
  for (const { agent } of seats) {
    if ((byName.get(agent.name) ?? agent) !== agent) {
      const message = `two agents are called ${JSON.stringify(agent.name)}; give each its own name`;
      throw new Error(message);
    }
    byName.set(agent.name, agent);
  }
  return seats;
}

function isAgent(served: Served | AgentWithAuth): served is Agent {
  return "run" in served && typeof served.run === "function";
}
