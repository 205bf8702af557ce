import type { ServerOptions as TlsOptions } from "node:https";
import type { HttpOptions, Mount } from "../http/internal.js";
import { openRuntime } from "../server/internal.js";
import type { Agent, PushOutbox, Runtime, RuntimeOptions } from "../server/internal.js";
import { createSealer, encryptSecrets } from "../store/internal.js";
import type { SealKey, Store } from "../store/internal.js";
import { openSqliteStore } from "../store/sqlite/internal.js";
import { withClientCertificates } from "./client-certificates.js";
import { createNodeListener } from "./create-node-listener.js";
import { checkExposure, createHostCheck, isLoopback } from "./exposure.js";
import { openPush } from "./push/open-push.js";
import type { ServePushOptions } from "./push/serve-push-options.js";
import { createSecurity } from "./security.js";
import type { SecurityOptions } from "./security.js";
import { createHealthCheck } from "./health-check.js";
import { serveGrpc } from "./serve-grpc.js";
import type { ServingGrpc } from "./serve-grpc.js";
import type { ServeGrpcOptions } from "./serve-grpc-options.js";
import { seatsOf } from "./served.js";
import type { Served } from "./served.js";
import { openWebServer } from "./web-server.js";
import type { Timeouts, WebServer } from "./web-server.js";

/** Where and how `serve` serves; every option has a default. */
export interface ServeOptions
  extends Omit<HttpOptions, "mounts">, Omit<RuntimeOptions, "agent" | "store">, SecurityOptions {
  /** 4100 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The loopback address when absent: nothing is served beyond this machine unless it is asked for. */
  readonly host?: string;
  /** Lets anyone call who reaches another address than this machine's own, where nobody has to say who. */
  readonly allowAnonymous?: boolean;
  /** A store, or the path of a SQLite file; `.parley/parley.db` when absent. */
  readonly store?: Store | string;
  /** Keys under which secrets are stored: the first for new ones, the others for what is there. */
  readonly secretKeys?: readonly SealKey[];
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
  /** How long calls under way may take to end when the server stops. */
  readonly drainMs?: number;
  /**
   * Serves over gRPC, too, at a port of its own. There are no paths there: callers name one of several agents
   * by the tenant that its card says, which is its path.
   */
  readonly grpc?: ServeGrpcOptions | false;
  /** How push notifications are sent, by agents that declare them. */
  readonly push?: ServePushOptions;
}

/** A server at work. */
export interface Serving extends AsyncDisposable {
  /** Of the server on this machine: the base URL of an agent at `/`; to others, their paths are appended. */
  readonly url: string;
  readonly port: number;
  /** Where gRPC is served, as `host:port`. */
  readonly grpcAddress?: string;
  /** What the tasks are kept in, for people. */
  readonly store: string;
  /**
   * The push notifications of the agent at a path, `/` when absent: how many wait, what was given up, and
   * trying that again. Throws if no agent is served there.
   */
  push(path?: string): PushOutbox;
  /** Takes no more calls, ends streams, lets runs finish or hands them on, closes the store. */
  close(): Promise<void>;
}

/**
 * Serves an agent on this machine: every version and binding on one port, its tasks in a SQLite file.
 *
 * @example
 * const { url } = await serve(agent({ name: "Echo", description: "…", run: ({ text }) => text }));
 */
export async function serve(served: Served, options: ServeOptions = {}): Promise<Serving> {
  const { port = 4100, host = "127.0.0.1", drainMs = 1000, timeouts } = options;
  const seats = seatsOf(served, options.auth);
  const authenticators = seats.map(({ auth }) => auth);
  const tls = withClientCertificates(options.tls, authenticators);
  const open = seats.flatMap(({ agent, auth }) => (auth === undefined ? [agent.name] : []));
  const { allowAnonymous = false } = options;
  checkExposure({ host, open, allowAnonymous, warn: (message) => console.warn(message) });
  const security = createSecurity(options);
  const store = await openStore(options);
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
    const agents = seats.map(({ agent }) => agent);
    const maxConnectionsPerHost = options.settings?.maxConcurrentPushesPerHost;
    const push = await openPush(agents, store, {
      ...(maxConnectionsPerHost !== undefined && { maxConnectionsPerHost }),
      ...options.push,
    });
    const mounts: Mount[] = [];
    for (const { path, agent, auth } of seats) {
      const hasAuthentication = seats.some((one) => one.agent === agent && one.auth !== undefined);
      const settings = { hasAuthentication, ...options.settings };
      const runtime =
        runtimes.get(agent) ??
        (await openRuntime({ ...push.senderFor(agent), ...options, settings, agent, store }));
      runtimes.set(agent, runtime);
      const { hosted } = runtime;
      mounts.push({
        path,
        agent: { ...hosted, service: security.guard(hosted.service) },
        auth: security.watch(auth) ?? false,
      });
    }
    const isReady = createHealthCheck(() => store.check());
    const surroundings = { ...options, host, drainMs, isReady, ...(tls && { tls }) };
    grpc = options.grpc ? await serveGrpc(mounts, options.grpc, surroundings) : undefined;
    const isOpenHere = open.length > 0 && isLoopback(host);
    const listener = createNodeListener({
      ...push.published,
      ...(isOpenHere && { allowsHost: createHostCheck(options.publicUrl) }),
      ...options,
      mounts,
      ...(grpc !== undefined && { grpcAddress: options.grpcAddress ?? grpc.address }),
    });
    server = await openWebServer(listener, {
      port,
      host,
      drainMs,
      isReady,
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
    push(path = "/") {
      const seat = seats.find((one) => one.path === path);
      const runtime = seat && runtimes.get(seat.agent);
      if (runtime === undefined) throw new Error(`no agent is served at ${path}`);
      return runtime.push;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function openStore({ store, secretKeys }: ServeOptions): Promise<Store> {
  // Keys that are none are refused before anything is opened.
  if (secretKeys !== undefined) createSealer(secretKeys);
  const opened =
    typeof store === "object"
      ? store
      : await openSqliteStore({ path: store ?? ".parley/parley.db" });
  return secretKeys === undefined ? opened : encryptSecrets(opened, secretKeys);
}
