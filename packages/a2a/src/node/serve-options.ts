import type { ServerOptions as TlsOptions } from "node:https";
import type { Bus } from "../bus/internal.js";
import type { HttpOptions } from "../http/internal.js";
import type { RuntimeOptions } from "../server/internal.js";
import type { SealKey, Store } from "../store/internal.js";
import type { LogOptions } from "./log/create-log.js";
import type { MetricsOptions } from "./metrics/metrics-options.js";
import type { ServePushOptions } from "./push/serve-push-options.js";
import type { SecurityOptions } from "./security.js";
import type { ServeGrpcOptions } from "./serve-grpc-options.js";
import type { ServerInspector } from "./server-inspector.js";
import type { Timeouts } from "./web-server.js";

/** Where and how `serve` serves; every option has a default. */
export interface ServeOptions
  extends
    Omit<HttpOptions, "mounts">,
    Omit<RuntimeOptions, "agent" | "store" | "bus">,
    SecurityOptions {
  /** 4100 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The address to listen on; the loopback address when absent, so that only this machine can call. */
  readonly host?: string;
  /**
   * Hosts under which callers reach this server, beside that of `publicUrl`, such as `agents.example.com`; with a port
   * for that port only. The server then answers for these and for its own names on this machine, and for no others. An
   * open server on this machine never answers for others, also if a trusted proxy passes them on.
   */
  readonly publicHosts?: readonly string[];
  /** Allows agents without authentication on an address that other machines reach. */
  readonly allowAnonymous?: boolean;
  /**
   * A store, or its place: `postgres://…`, `sqlite:PATH`, the path of a SQLite file, or `memory:`. Absent: that of the
   * environment variable `DATABASE_URL`, else `.parley/parley.db`.
   */
  readonly store?: Store | string;
  /**
   * What wakes the other nodes that share the store: a bus, or its place: `nats://…`, `tls://…`, `postgres://…`, or `memory:` for
   * none. Absent: that of the environment variable `NATS_URL`, else LISTEN/NOTIFY if the store is a PostgreSQL database
   * (through `PARLEY_LISTEN_URL` where that is set), else none.
   */
  readonly bus?: Bus | string;
  /** Keys that encrypt secrets in the store: the first for new secrets, the others to read earlier ones. */
  readonly secretKeys?: readonly SealKey[];
  readonly tls?: TlsOptions;
  readonly timeouts?: Timeouts;
  /** How many connections callers may have open over HTTP; 10,000 when absent. The server closes further ones at once. */
  readonly maxConnections?: number;
  /**
   * How long the server goes on taking calls when it stops, while `/readyz` answers 503: load balancers need that time to see
   * it. Absent: the environment variable `PARLEY_DRAIN_DELAY_MS`, else 0.
   */
  readonly drainDelayMs?: number;
  /** How long calls under way may take to end when the server stops; 1 s when absent. */
  readonly drainMs?: number;
  /**
   * Serves over gRPC too, at a port of its own. There are no paths over gRPC: callers reach one of several agents
   * by the tenant in its card, which is its path.
   */
  readonly grpc?: ServeGrpcOptions | false;
  /**
   * Serves what is counted at `/metrics`, for Prometheus, at a port of its own: 9464 on the loopback address, unless it says
   * otherwise. Absent: nothing is counted, unless `telemetry` does.
   */
  readonly metrics?: MetricsOptions | false;
  /**
   * What the server writes to its log, and how. Absent: warnings and errors for people, on the standard error stream. What
   * `telemetry.log` receives is up to that.
   */
  readonly log?: LogOptions;
  /** How agents that declare push notifications send them. */
  readonly push?: ServePushOptions;
  /**
   * Looks at the server from beside it, on a port of its own: `createInspector()` of `@parley/inspector`. Whoever has its link may
   * read all tasks and cancel them.
   */
  readonly inspector?: ServerInspector;
}
