import type { Authenticator } from "../protocol/internal.js";
import type { Agent } from "../server/internal.js";

/** An agent that authenticates its callers itself, in place of the server; `false` lets anyone call. */
export interface AgentWithAuth {
  readonly agent: Agent;
  readonly auth: Authenticator | false;
}

/** Several agents, by the paths at which they are mounted. */
export type AgentsByPath = Readonly<Record<string, Agent | AgentWithAuth>>;

/** A mount whose agent has no runtime yet. */
export interface AgentMount {
  readonly path: string;
  readonly agent: Agent;
  /** Absent where anyone may call. */
  readonly auth?: Authenticator;
}

/** The mounts of one agent or several. Throws if two share a name: each would find the other's tasks. */
export function agentMounts(
  agents: Agent | AgentsByPath,
  common: Authenticator | undefined,
): readonly AgentMount[] {
  const byPath: AgentsByPath = isAgent(agents) ? { "/": agents } : agents;
  const mounts = Object.entries(byPath).map(([path, one]): AgentMount => {
    const { agent, auth = common } = isAgent(one) ? { agent: one } : one;
    return auth === undefined || auth === false ? { path, agent } : { path, agent, auth };
  });
  const byName = new Map<string, Agent>();
  for (const { agent } of mounts) {
    if ((byName.get(agent.name) ?? agent) !== agent) {
      const message = `two agents are called ${JSON.stringify(agent.name)}; give each its own name`;
      throw new Error(message);
    }
    byName.set(agent.name, agent);
  }
  return mounts;
}

function isAgent(given: Agent | AgentsByPath | AgentWithAuth): given is Agent {
  return "run" in given && typeof given.run === "function";
}
