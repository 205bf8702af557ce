import { createHealthCheck, delay, foregroundClock } from "../async/internal.js";
import { mountPath } from "../binding/internal.js";
import type { Mount } from "../binding/internal.js";
import { answerWith, BodyPool, handleHttp, keySetUrlAt } from "../http/internal.js";
import { checkOptions, pick, withDefaults } from "../options/internal.js";
import { A2AError } from "../protocol/internal.js";
import { consoleLog } from "../protocol/telemetry/internal.js";
import { openRuntime, reportTo } from "../server/internal.js";
import type { Agent, PushOutbox, Runtime } from "../server/internal.js";
import { createSealer, encryptSecrets } from "../store/internal.js";
import { agentMounts, isAuthenticated } from "./agent-mounts.js";
import type { AgentsByPath } from "./agent-mounts.js";
import { withClientCertificates } from "./client-certificates.js";
import { listenWith } from "./create-node-listener.js";
import { drainDelayOf } from "./engines/environment.js";
import { planEngines } from "./engines/open-engines.js";
import type { Engines } from "./engines/open-engines.js";
import { checkExposure, checkExtendedCards, createHostCheck, isLoopback } from "./exposure.js";
import { isAnyAddress, nodeAddress } from "./node-address.js";
import { openPush } from "./push/open-push.js";
import type { Push } from "./push/open-push.js";
import { createSecurity } from "./security.js";
import { loadGrpc, serveGrpc } from "./serve-grpc.js";
import type { AddressedGrpcServer } from "./serve-grpc.js";
import type { ServeOptions } from "./serve-options.js";
import { serveRule } from "./serve-rules.js";
import { createTelemetry } from "./create-telemetry.js";
import type { InspectedAgent, OpenedInspector } from "./server-inspector.js";
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
  /** Where Prometheus reads what is counted; see `metrics`. */
  readonly metricsUrl?: string;
  /** A description of the store, for people. */
  readonly store: string;
  /** A description of the bus, for people. */
  readonly bus: string;
  /** The inspector that stands beside the server, if there is one. */
  readonly inspector?: Pick<OpenedInspector, "url" | "newLink">;
  /**
   * The push notifications of the agent at a path, `/` when absent: those that wait, those that were given up, and
   * retrying them. Throws if no agent is mounted there.
   */
  push(path?: string): PushOutbox;
  /**
   * Says that it is not ready, for `drainDelayMs`. Then takes no more calls, ends streams, lets runs finish or hands them to
   * other nodes, and closes the store and the bus that it has opened.
   */
  close(): Promise<void>;
}

/**
 * Serves an agent, or several by their paths: every version over HTTP on one port, with tasks in a SQLite file or, with
 * `DATABASE_URL`, in a PostgreSQL database that any number of servers share.
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
  const watched = createTelemetry(options);
  const { telemetry } = watched;
  const log = telemetry.log ?? consoleLog;
  checkExposure({
    host,
    open,
    allowAnonymous,
    warn: (msg) => log("warn", "server.exposed", { msg }),
  });
  if (options.settings?.extendedCardForAnyone !== true) checkExtendedCards(planned);
  checkPorts(port, options.grpc);
  // Refuses invalid keys before anything is opened.
  if (options.secretKeys !== undefined) createSealer(options.secretKeys);
  const runtimes = new Map<Agent, Runtime>();
  const figures = () => [...runtimes.values()].map((runtime) => runtime.figures());
  const security = createSecurity(options, () =>
    Math.max(1, ...figures().map(({ nodes }) => nodes)),
  );
  const openEngines = planEngines(options);
  const drainDelayMs = drainDelayOf(options.drainDelayMs);
  if (options.grpc) await loadGrpc();
  // The port is taken before anything is opened; it answers with what there is so far.
  const exposed = await watched.open();
  const server = await openWebServer({
    port,
    host,
    drainMs,
    ...(tls && { tls }),
    ...(timeouts && { timeouts }),
    ...(maxConnections !== undefined && { maxConnections }),
  }).catch(async (error: unknown) => {
    await watched.close();
    throw error;
  });
  let engines: Engines | undefined;
  let grpc: AddressedGrpcServer | undefined;
  let inspector: OpenedInspector | undefined;
  let isServing = false;
  let isStopping = false;
  async function release(): Promise<void> {
    isStopping = true;
    server.leave();
    const tell = (phase: string): void => {
      if (isServing) log("info", "drain.phase", { phase, msg: drainPhases[phase] ?? phase });
    };
    if (isServing && drainDelayMs > 0) {
      tell("unready");
      await delay(options.clock ?? foregroundClock, drainDelayMs);
    }
    tell("calls");
    await Promise.all([server.close(), grpc?.close(), inspector?.close()]);
    try {
      tell("runs");
      await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
    } finally {
      // A store that cannot be reached must not keep the process alive.
      await engines?.close();
      await watched.close();
      if (isServing) log("info", "server.stopped");
    }
  }
  function checkWanted(): void {
    if (isStopping) {
      throw new A2AError("UNAVAILABLE", "stopping", {
        details: { metadata: { check: "draining" } },
      });
    }
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
    const { secretKeys } = options;
    const report = options.report ?? reportTo(log);
    engines = await openEngines(report);
    const { bus } = engines;
    const store =
      secretKeys === undefined ? engines.store : encryptSecrets(engines.store, secretKeys);
    const maxConnectionsPerHost = options.settings?.maxConcurrentPushesPerHost;
    const served = planned.map(({ agent }) => agent);
    const push = await openPush(served, store, {
      warn: (msg) => log("warn", "push.unguarded", { msg }),
      ...(maxConnectionsPerHost !== undefined && { maxConnectionsPerHost }),
      ...options.push,
    });
    const address = options.address ?? nodeAddress(server.url, host);
    const shared = {
      ...pick(options, ["report", "clock", "newId"]),
      telemetry,
      bus,
      address,
    };
    const findProblem = createHealthCheck(async () => {
      await Promise.all([...runtimes.values()].map((runtime) => runtime.check()));
    });
    // A load balancer sends calls to the server, not to an agent, so that one check answers for all of them.
    const check = async (): Promise<void> => {
      checkWanted();
      const problem = await findProblem();
      if (problem !== undefined) throw problem;
      // A signal may have come while the store was asked.
      checkWanted();
    };
    const isReady = (): Promise<boolean> =>
      check().then(
        () => ![...runtimes.values()].some((runtime) => runtime.load() === "full"),
        () => false,
      );
    const mounts: Mount[] = [];
    const inspected: InspectedAgent[] = [];
    for (const { path, agent, auth } of planned) {
      const hasAuthentication = isAuthenticated(agent, planned);
      const settings = withDefaults(
        { hasAuthentication, ...settingsForMemory() },
        options.settings,
      );
      const runtime =
        runtimes.get(agent) ??
        (await openRuntime({
          ...watchedSender(
            options,
            push.senderFor(agent, () => keysUrlAt(path)),
          ),
          ...shared,
          settings,
          agent,
          store,
        }));
      runtimes.set(agent, runtime);
      const service = security.guard(runtime.service);
      mounts.push({
        path,
        agent: { ...runtime, service, check },
        auth: security.watch(auth) ?? false,
      });
      inspected.push({
        name: agent.name,
        path,
        service,
        figures: () => runtime.figures(),
        push: runtime.push,
      });
    }
    const common = { ...options, telemetry, host, drainMs, isReady, ...(tls && { tls }) };
    grpc = options.grpc ? await serveGrpc(mounts, options.grpc, common) : undefined;
    const checksHost = (open.length > 0 && isLoopback(host)) || options.publicHosts !== undefined;
    const { grpcAddress: _, ...httpOptions } = options;
    const grpcAddress = addressInCards(grpc, options);
    const handle = handleHttp({
      ...push.published,
      ...(checksHost && { allowsHost: createHostCheck(options) }),
      ...httpOptions,
      telemetry,
      mounts,
      ...(grpcAddress !== undefined && { grpcAddress }),
    });
    const pool = new BodyPool(options.maxBodyBytesInFlight);
    const watchedHandle = options.inspector?.watch(handle) ?? handle;
    server.start(listenWith(watchedHandle, { pool, tracer: telemetry.tracer }));
    isServing = true;
    const takesCalls = (): boolean => !isStopping && [...runtimes.values()].every(isAtWork);
    watched.show(takesCalls, engines.store);
    const auth = options.auth ?? authenticators.find((one) => one !== undefined);
    const watchedAuth = auth && security.watch(auth);
    inspector = await options.inspector?.open({
      ...pick(options, ["publicUrl", "audit"]),
      url: server.url,
      agents: inspected,
      store,
      operatorScope: options.settings?.operatorScope ?? "a2a:operator",
      ...(watchedAuth && { auth: watchedAuth }),
      answer: answerWith(handle, pool),
    });
    log("info", "server.started", {
      url: server.url,
      ...(grpc !== undefined && { grpc: grpc.address }),
      ...(exposed !== undefined && { metrics: exposed.url }),
      store: store.description,
      bus: bus.description,
      agents: served.map(({ name }) => name).join(", "),
    });
    return {
      url: server.url,
      port: server.port,
      ...(grpc !== undefined && { grpcAddress: grpc.address }),
      ...(exposed !== undefined && { metricsUrl: exposed.url }),
      store: store.description,
      bus: bus.description,
      ...(inspector !== undefined && { inspector }),
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

/** The sender of an agent's push notifications: the one of the options before the server's own. */
function watchedSender(
  { pushSender, inspector }: ServeOptions,
  own: ReturnType<Push["senderFor"]>,
): ReturnType<Push["senderFor"]> {
  const sender = pushSender ?? own.pushSender;
  return sender === undefined ? {} : { pushSender: inspector?.watchPush?.(sender) ?? sender };
}

const drainPhases: Readonly<Record<string, string>> = {
  unready: "The server says that it is not ready, and goes on taking calls",
  calls: "The server takes no more calls, and ends streams",
  runs: "Runs finish, or go to other nodes",
};

function isAtWork(runtime: Runtime): boolean {
  const { hasLease, isDraining } = runtime.figures();
  return hasLease && !isDraining && runtime.load() !== "full";
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
  return isAnyAddress(host) || trustsProxy !== undefined ? undefined : url;
}
