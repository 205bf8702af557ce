import { createServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { ServerOptions as TlsOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { HttpOptions, Mount } from "../http/index.js";
import { openRuntime } from "../server/index.js";
import type { Agent, Runtime, RuntimeOptions } from "../server/index.js";
import type { Store } from "../store/index.js";
import { openSqliteStore } from "../store/sqlite/index.js";
import { createNodeListener } from "./create-node-listener.js";

export interface ServeOptions
  extends Omit<HttpOptions, "mounts">, Omit<RuntimeOptions, "agent" | "store"> {
  /** 4100 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The loopback address when absent: nothing is served beyond this machine unless it is asked for. */
  readonly host?: string;
  /** A store, or the path of a SQLite file; `.parley/parley.db` when absent. */
  readonly store?: Store | string;
  readonly tls?: TlsOptions;
  /** How long calls under way may take to end when the server stops. */
  readonly drainMs?: number;
}

/** A server at work. */
export interface Serving extends AsyncDisposable {
  /** The agent's base URL. */
  readonly url: string;
  readonly port: number;
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
  const { port = 4100, host = "127.0.0.1", drainMs = 1000 } = options;
  const store = await openStore(options.store);
  const runtimes: Runtime[] = [];
  const mounts: Mount[] = [];
  for (const [path, agent] of Object.entries(isAgent(served) ? { "/": served } : served)) {
    const runtime = await openRuntime({ ...options, agent, store });
    runtimes.push(runtime);
    mounts.push({ path, agent: hosted(agent, runtime) });
  }
  const listener = createNodeListener({ ...options, mounts });
  let isReady = true;
  const server = createWebServer(options.tls, (request, response) => {
    if (request.url === "/healthz") response.end("ok\n");
    else if (request.url === "/readyz") response.writeHead(isReady ? 200 : 503).end();
    else listener(request, response);
  });
  await listen(server, port, host);
  const bound = (server.address() as AddressInfo).port;
  const scheme = options.tls === undefined ? "http" : "https";

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stop());
  async function stop(): Promise<void> {
    isReady = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    listener.drain();
    server.closeIdleConnections();
    const force = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearTimeout(force);
    await Promise.all(runtimes.map((runtime) => runtime.close()));
    if (typeof options.store !== "object") await store.close();
  }

  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    store: store.description,
    close,
    [Symbol.asyncDispose]: close,
  };
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

function createWebServer(
  tls: TlsOptions | undefined,
  listener: Parameters<typeof createServer>[1] & {},
): Server {
  const limits = { keepAliveTimeout: 65_000, headersTimeout: 30_000, requestTimeout: 60_000 };
  return tls === undefined
    ? createServer(limits, listener)
    : createTlsServer({ ...limits, ...tls }, listener);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
