import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@parley/a2a/node";
import type { AgentsByPath, ServeOptions, Server } from "@parley/a2a/node";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../cli/src/demo-agent.js";

export interface ServerOptions extends Omit<ServeOptions, "port" | "store"> {
  /** The demo agent when absent. */
  readonly agent?: Agent | AgentsByPath;
  /** In memory when absent. */
  readonly store?: ServeOptions["store"];
}

/** A server on a free port of this machine, its tasks in memory unless said otherwise. */
export function openServer({
  agent = demoAgent,
  store = createMemoryStore(),
  settings = {},
  ...options
}: ServerOptions = {}): Promise<Server> {
  // A test that fails leaves handlers waiting; nobody should wait for them in turn.
  const impatient = { stopGraceMs: 200, ...settings };
  return serve(agent, { port: 0, store, settings: impatient, ...options });
}

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/** A folder that is gone when the test is over. */
export async function openTemporaryFolder(): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(tmpdir(), "parley-http-"));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }),
  };
}
