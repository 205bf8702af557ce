import { serve } from "@parley/a2a/node";
import type { ServeOptions, Server } from "@parley/a2a/node";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../../cli/src/demo-agent.js";
import type { AgentsByPath } from "../../../src/node/agent-mounts.js";

export interface ServerOptions extends Omit<ServeOptions, "port" | "store"> {
  /** The demo agent when absent. */
  readonly agent?: Agent | AgentsByPath;
  /** In memory when absent. */
  readonly store?: ServeOptions["store"];
}

/** Opens a server on a free port of this machine. */
export function openServer({
  agent = demoAgent,
  store = createMemoryStore(),
  settings = {},
  ...options
}: ServerOptions = {}): Promise<Server> {
  // A failed test leaves handlers waiting; closing the server must not wait for them.
  const impatient = { stopGraceMs: 200, ...settings };
  return serve(agent, { port: 0, store, settings: impatient, ...options });
}
