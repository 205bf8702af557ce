import { createHealthCheck } from "../async/internal.js";
import { mountPath } from "../binding/internal.js";
import type { Mount } from "../binding/internal.js";
import { BodyPool, handleHttp, keySetUrlAt } from "../http/internal.js";
import { checkOptions, pick, withDefaults } from "../options/internal.js";
import { openRuntime } from "../server/internal.js";
import type { Agent, PushOutbox, Runtime } from "../server/internal.js";
import { createSealer, encryptSecrets } from "../store/internal.js";
import type { Store } from "../store/internal.js";
import { openSqliteStore } from "../store/sqlite/internal.js";
import { agentMounts, isAuthenticated } from "./agent-mounts.js";
import type { AgentsByPath } from "./agent-mounts.js";
import { withClientCertificates } from "./client-certificates.js";
import { listenWith } from "./create-node-listener.js";
import { checkExposure, checkExtendedCards, createHostCheck, isLoopback } from "./exposure.js";
import { openPush } from "./push/open-push.js";
import { createSecurity } from "./security.js";
import { loadGrpc, serveGrpc } from "./serve-grpc.js";
import type { AddressedGrpcServer } from "./serve-grpc.js";
import type { ServeOptions } from "./serve-options.js";
import { serveRule } from "./serve-rules.js";
import { settingsForMemory } from "./settings-for-memory.js";
import { openWebServer } from "./web-server.js";
import type { WebServer } from "./web-server.js";

/** A running server. */
export interface Server extends AsyncDisposable {
  /** The URL of the server on this machine, and of an agent at `/`; other agents append their paths. */
  readonly url: string;
  readonly port: number;
  /** The address of gRPC, as `host:port`. */
  readonly grpcAddress?: string;
  /** A description of the store, for people. */
  readonly store: string;
  /**
   * The push notifications of the agent at a path, `/` when absent: those that wait, those that were given up, and
   * retrying them. Throws if no agent is mounted there.
   */
  push(path?: string): PushOutbox;
  /** Takes no more calls, ends streams, lets runs finish or hands them to other nodes, and closes the store. */
  close(): Promise<void>;
}

/**
 * Serves an agent, or several by their paths: every version over HTTP on one port, with tasks in a SQLite file.
 *
 * @example
 * const { url } = await serve(agent({ name: "Echo", description: "…", run: ({ text }) => text }));
 */
export async function serve(
  agents: Agent | AgentsByPath,
  options: ServeOptions = {},
): Promise<Server> {
  checkOptions("serve()", options, serveRule);
  const { port = 4100, host = "127.0.0.1", drainMs = 1000, timeouts, maxConnections } = options;
  const planned = agentMounts(agents, options.auth);
  const authenticators = planned.map(({ auth }) => auth);
  const tls = withClientCertificates(options.tls, authenticators);
  const open = planned.flatMap(({ agent, auth }) => (auth === undefined ? [agent.name] : []));
  const { allowAnonymous = false } = options;
  checkExposure({ host, open, allowAnonymous, warn: (message) => console.warn(message) });
  if (options.settings?.extendedCardForAnyone !== true) checkExtendedCards(planned);
  checkPorts(port, options.grpc);
  // Refuses invalid keys before anything is opened.
  if (options.secretKeys !== undefined) createSealer(options.secretKeys);
  const security = createSecurity(options);
  if (options.grpc) await loadGrpc();
  const server = await openWebServer({
    port,
    host,
    drainMs,
    ...(tls && { tls }),
    ...(timeouts && { timeouts }),
    ...(maxConnections !== undefined && { maxConnections }),
  });
  let store: Store | undefined;
  const runtimes = new Map<Agent, Runtime>();
  let grpc: AddressedGrpcServer | undefined;
  async function release(): Promise<void> {
    await Promise.all([server.close(), grpc?.close()]);
    await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
    if (typeof options.store !== "object") await store?.close();
  }
  /** Where receivers find the keys, below an agent's path; unknown where only callers know the server's address. */
  function keysUrlAt(path: string): string | undefined {
    const { publicUrl = knownUrl(server, options) } = options;
    return publicUrl === undefined
      ? undefined
      : keySetUrlAt(`${publicUrl.replace(/\/$/, "")}${mountPath(path)}`);
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= release());
  try {
    const opened = (store = await openStore(options));
    const maxConnectionsPerHost = options.settings?.maxConcurrentPushesPerHost;
    const served = planned.map(({ agent }) => agent);
    const push = await openPush(served, opened, {
      ...(maxConnectionsPerHost !== undefined && { maxConnectionsPerHost }),
      ...options.push,
    });
    const shared = pick(options, ["bus", "report", "pushSender", "clock", "newId"]);
    const findProblem = createHealthCheck(() => opened.check());
    const isReady = async (): Promise<boolean> => (await findProblem()) === undefined;
    // All agents share the store, so that one check answers for all of them.
    const check = async (): Promise<void> => {
      const problem = await findProblem();
      if (problem !== undefined) throw problem;
    };
    const mounts: Mount[] = [];
    for (const { path, agent, auth } of planned) {
      const hasAuthentication = isAuthenticated(agent, planned);
      const settings = withDefaults(
        { hasAuthentication, ...settingsForMemory() },
        options.settings,
      );
      const runtime =
        runtimes.get(agent) ??
        (await openRuntime({
          ...push.senderFor(agent, () => keysUrlAt(path)),
          ...shared,
          settings,
          agent,
          store,
        }));
      runtimes.set(agent, runtime);
      mounts.push({
        path,
        agent: { ...runtime, service: security.guard(runtime.service), check },
        auth: security.watch(auth) ?? false,
      });
    }
    const common = { ...options, host, drainMs, isReady, ...(tls && { tls }) };
    grpc = options.grpc ? await serveGrpc(mounts, options.grpc, common) : undefined;
    const checksHost = (open.length > 0 && isLoopback(host)) || options.publicHosts !== undefined;
    const { grpcAddress: _, ...httpOptions } = options;
    const grpcAddress = addressInCards(grpc, options);
    const handle = handleHttp({
      ...push.published,
      ...(checksHost && { allowsHost: createHostCheck(options) }),
      ...httpOptions,
      mounts,
      ...(grpcAddress !== undefined && { grpcAddress }),
    });
    server.start(listenWith(handle, new BodyPool(options.maxBodyBytesInFlight)));
    return {
      url: server.url,
      port: server.port,
      ...(grpc !== undefined && { grpcAddress: grpc.address }),
      store: store.description,
      push(path = "/") {
        const mount = planned.find((one) => one.path === path);
        const runtime = mount && runtimes.get(mount.agent);
        if (runtime === undefined) throw new Error(`no agent is served at ${path}`);
        return runtime.push;
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The gRPC address that cards list, if they are to list one. */
function addressInCards(
  server: AddressedGrpcServer | undefined,
  { grpc, grpcAddress }: ServeOptions,
): string | undefined {
  const { inCard = grpcAddress !== undefined } = grpc || {};
  return inCard ? (grpcAddress ?? server?.address) : undefined;
}

/** Throws if HTTP and gRPC would listen on the same port. */
function checkPorts(port: number, grpc: ServeOptions["grpc"]): void {
  if (!grpc || port === 0 || port !== (grpc.port ?? 4101)) return;
  throw new Error(`serve(): port and grpc.port are both ${port}; expected two different ports`);
}

/** The URL of a server that is reached where it listens: at an address of its own, with no proxy before it. */
function knownUrl(
  { url }: WebServer,
  { host, trustsProxy }: Pick<ServeOptions, "host" | "trustsProxy">,
): string | undefined {
  const isAnyAddress = host === "0.0.0.0" || host === "::";
  return isAnyAddress || trustsProxy !== undefined ? undefined : url;
}

async function openStore({ store, secretKeys, report }: ServeOptions): Promise<Store> {
  const opened =
    typeof store === "object"
      ? store
      : await openSqliteStore({
          path: store ?? ".parley/parley.db",
          ...(report && { report: (notice) => report(notice, "store") }),
        });
  return secretKeys === undefined ? opened : encryptSecrets(opened, secretKeys);
}
