import type { ServerOptions as TlsOptions } from "node:https";
import type { HttpOptions, Mount } from "../http/index.js";
import { openRuntime } from "../server/index.js";
import type { Agent, Runtime, RuntimeOptions } from "../server/index.js";
import type { Store } from "../store/index.js";
import { openSqliteStore } from "../store/sqlite/index.js";
import { createNodeListener } from "./create-node-listener.js";
import { serveGrpc } from "./serve-grpc.js";
import type { ServingGrpc } from "./serve-grpc.js";
import type { ServeGrpcOptions } from "./serve-grpc-options.js";
import { openWebServer } from "./web-server.js";
import type { Timeouts, WebServer } from "./web-server.js";

export interface ServeOptions
  extends Omit<HttpOptions, "mounts">, Omit<RuntimeOptions, "agent" | "store"> {
  /** 4100 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The loopback address when absent: nothing is served beyond this machine unless it is asked for. */
  readonly host?: string;
  /** A store, or the path of a SQLite file; `.parley/parley.db` when absent. */
  readonly store?: Store | string;
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
  /** How long calls under way may take to end when the server stops. */
  readonly drainMs?: number;
  /** Serves the agent over gRPC, too, at a port of its own. */
  readonly grpc?: ServeGrpcOptions | false;
}

/** A server at work. */
export interface Serving extends AsyncDisposable {
  /** The agent's base URL. */
  readonly url: string;
  readonly port: number;
  /** Where gRPC is served, as `host:port`. */
  readonly grpcAddress?: string;
  /** What the tasks are kept in, for people. */
  readonly store: string;
  /** Takes no more calls, ends streams, lets runs finish or hands them on, closes the store. */
  close(): Promise<void>;
}

/** An agent, or several by the path each is served at. */
export type Served = Agent | Readonly<Record<string, Agent>>;

/**
 * Serves an agent on this machine: every version and binding on one port, its tasks in a SQLite file.
 *
 * @example
 * const { url } = await serve(agent({ name: "Echo", description: "…", run: ({ text }) => text }));
 */
export async function serve(served: Served, options: ServeOptions = {}): Promise<Serving> {
  const { port = 4100, host = "127.0.0.1", drainMs = 1000, tls, timeouts } = options;
  const agents = Object.entries(isAgent(served) ? { "/": served } : served);
  checkNames(agents.map(([, agent]) => agent));
  const store = await openStore(options.store);
  const runtimes = new Map<Agent, Runtime>();
  let server: WebServer | undefined;
  let grpc: ServingGrpc | undefined;
  async function release(): Promise<void> {
    await Promise.all([server?.close(), grpc?.close()]);
    await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
    if (typeof options.store !== "object") await store.close();
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= release());
  try {
    const mounts: Mount[] = [];
    for (const [path, agent] of agents) {
      const runtime = runtimes.get(agent) ?? (await openRuntimeFor(agent, store, options));
      runtimes.set(agent, runtime);
      mounts.push({ path, agent: hosted(agent, runtime) });
    }
    const surroundings = { ...options, host, drainMs };
    grpc = options.grpc
      ? await serveGrpc(only(mounts).agent, options.grpc, surroundings)
      : undefined;
    const listener = createNodeListener({
      ...options,
      mounts: grpc === undefined ? mounts : [{ ...only(mounts), agent: grpc.agent }],
      ...(grpc !== undefined && { grpcAddress: options.grpcAddress ?? grpc.address }),
    });
    server = await openWebServer(listener, {
      port,
      host,
      drainMs,
      ...(tls && { tls }),
      ...(timeouts && { timeouts }),
    });
  } catch (error) {
    await close();
    throw error;
  }
  const { url, port: bound } = server;
  return {
    url,
    port: bound,
    ...(grpc !== undefined && { grpcAddress: grpc.address }),
    store: store.description,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A gRPC server has no paths by which to tell agents apart. */
function only(mounts: readonly Mount[]): Mount {
  const [mount, ...others] = mounts;
  if (mount !== undefined && others.length === 0) return mount;
  throw new Error("gRPC serves one agent at a port; serve each agent on its own");
}

/** Tasks are kept under their agent's name: two agents of one name would answer for each other's. */
function checkNames(agents: readonly Agent[]): void {
  const byName = new Map<string, Agent>();
  for (const agent of agents) {
    if ((byName.get(agent.name) ?? agent) !== agent) {
      throw new Error(
        `two agents are called ${JSON.stringify(agent.name)}; give each its own name`,
      );
    }
    byName.set(agent.name, agent);
  }
}

function openRuntimeFor(agent: Agent, store: Store, options: ServeOptions): Promise<Runtime> {
  const hasAuthentication = options.auth !== undefined;
  const settings = { hasAuthentication, ...options.settings };
  return openRuntime({ ...options, settings, agent, store });
}

async function openStore(store: ServeOptions["store"]): Promise<Store> {
  if (typeof store === "object") return store;
  return openSqliteStore({ path: store ?? ".parley/parley.db" });
}

function hosted(agent: Agent, runtime: Runtime): Mount["agent"] {
  return {
    service: runtime,
    card: (interfaces) => agent.card(interfaces),
    originOf: (taskId, call) => runtime.originOf(taskId, call),
  };
}

function isAgent(served: Served): served is Agent {
  return typeof served["run"] === "function";
}
