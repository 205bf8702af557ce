import { authRule } from "../binding/internal.js";
import { isPromise } from "../options/internal.js";
import type { Authenticator } from "../protocol/internal.js";
import { agentProblem } from "../server/internal.js";
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

/**
 * The mounts of one agent or several. Throws for what is no agent, and if two share a name: each would find the other's
 * tasks.
 */
export function agentMounts(
  agents: Agent | AgentsByPath,
  common: Authenticator | undefined,
): readonly AgentMount[] {
  const byPath = isSingle(agents) ? { "/": checkAgent(agents, "serve()") } : checkPaths(agents);
  const mounts = Object.entries<Agent | AgentWithAuth>(byPath).map(([path, one]): AgentMount => {
    const given: Partial<AgentWithAuth> = isWithAuth(one) ? one : { agent: one };
    const where = `serve(), the agent at ${JSON.stringify(path)}`;
    const agent = checkAgent(given.agent, where);
    const { auth = common } = given;
    const problem = auth === undefined ? undefined : authRule.problem(auth, "auth");
    if (problem !== undefined) throw new Error(`${where}: ${problem}`);
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

/** Whether callers of an agent can authenticate, at one mount at least. */
export function isAuthenticated(agent: Agent, mounts: readonly AgentMount[]): boolean {
  return mounts.some((one) => one.agent === agent && one.auth !== undefined);
}

/** Whether a value is, or was meant to be, one agent and not several by their paths. */
function isSingle(agents: unknown): agents is Agent {
  if (typeof agents !== "object" || agents === null || isPromise(agents)) return true;
  return "run" in agents || "card" in agents;
}

function isWithAuth(one: Agent | AgentWithAuth): one is AgentWithAuth {
  return typeof one === "object" && one !== null && "agent" in one;
}

function checkAgent(agent: unknown, where: string): Agent {
  const problem = agentProblem(agent);
  if (problem !== undefined) throw new Error(`${where}: ${problem}`);
  return agent as Agent;
}

function checkPaths(agents: AgentsByPath): AgentsByPath {
  const paths = Object.keys(agents);
  const form = 'agents by their paths, such as { "/travel": travel }';
  if (Array.isArray(agents)) throw new Error(`serve(): got a list; expected ${form}`);
  if (paths.length === 0) throw new Error(`serve(): there is no agent to serve; expected ${form}`);
  if ("agent" in agents) {
    throw new Error("serve(): got { agent, … }; expected serve(agent, options)");
  }
  return agents;
}
