import type { AgentService } from "@parley/a2a";
import type { InspectedServer } from "@parley/a2a/node";
import type { Store } from "@parley/a2a/store";

/** What an operator's routes work on: the store of a server, or a store alone. */
export interface TaskSource {
  readonly store: Store;
  /** Absent where a store is read without a server. */
  readonly server?: InspectedServer;
}

/** The names of all agents that are known: those of the server, of nodes that share the store, and of tasks. */
export async function agentNames({ store, server }: TaskSource): Promise<readonly string[]> {
  const own = server?.agents.map(({ name }) => name) ?? [];
  const [nodes, stored] = await Promise.all([store.listNodes(), store.listAgents()]);
  return [...new Set([...own, ...nodes.map(({ agent }) => agent), ...stored])];
}

/** The operations of an agent of the server. */
export function serviceOf({ server }: TaskSource, agent: string): AgentService | undefined {
  return server?.agents.find(({ name }) => name === agent)?.service;
}
