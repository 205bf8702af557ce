import { consoleLog, instruments } from "../protocol/telemetry/internal.js";
import { attribute } from "../protocol/tracing/internal.js";
import type { Log, Metrics, Telemetry } from "../protocol/internal.js";
import type { Store } from "../store/internal.js";
import { createLog } from "./log/create-log.js";
import { combineMetrics } from "./metrics/combine-metrics.js";
import { openMetricsServer } from "./metrics/open-metrics-server.js";
import type { MetricsServer } from "./metrics/open-metrics-server.js";
import { measureProcess } from "./metrics/process-metrics.js";
import { Registry } from "./metrics/registry.js";
import type { ServeOptions } from "./serve-options.js";

/** What an operator sees of a server: its telemetry, and where that is read. */
interface ServerTelemetry {
  readonly telemetry: Telemetry;
  /** Begins to count, and serves what is counted, if it is to be served. */
  open(): Promise<MetricsServer | undefined>;
  /** Shows whether the server takes calls, and the connections of its store. */
  show(isReady: () => boolean, store: Store): void;
  close(): Promise<void>;
}

type TelemetryOptions = Pick<ServeOptions, "telemetry" | "metrics" | "log" | "report" | "clock">;

/** The telemetry of a server: what it is given, and what its options ask for beside that. */
export function createTelemetry(options: TelemetryOptions): ServerTelemetry {
  const { telemetry: given = {}, metrics: exposed = false } = options;
  const log = logOf(options);
  const overflowed = (instrument: string): void => log("warn", "metrics.overflow", { instrument });
  const registry = exposed ? new Registry({ ...exposed, overflowed }) : undefined;
  const metrics =
    registry && given.metrics
      ? combineMetrics(registry, given.metrics)
      : (registry ?? given.metrics);
  const stops: (() => void)[] = [];
  let server: MetricsServer | undefined;
  return {
    telemetry: {
      ...given,
      log: metrics === undefined ? log : counted(log, metrics),
      ...(metrics !== undefined && { metrics }),
    },
    async open() {
      if (registry !== undefined && exposed) server = await openMetricsServer(registry, exposed);
      if (metrics !== undefined) stops.push(measureProcess(metrics));
      return server;
    },
    show(isReady, store) {
      if (metrics === undefined) return;
      stops.push(metrics.gauge(instruments.ready, {}, () => (isReady() ? 1 : 0)));
      if (store.connections === undefined) return;
      for (const state of ["used", "idle", "pending"] as const) {
        const labels = { [attribute.connection]: state };
        const read = (): number | undefined => store.connections?.()[state];
        stops.push(metrics.gauge(instruments.storeConnections, labels, read));
      }
    },
    async close() {
      for (const stop of stops) stop();
      await server?.close();
    },
  };
}

/** Where the server writes. A program that takes reports, and asks for no log, wants nothing on its console. */
function logOf({ telemetry = {}, log, report, clock }: TelemetryOptions): Log {
  const { tracer } = telemetry;
  if (telemetry.log !== undefined) return telemetry.log;
  if (log !== undefined) {
    return createLog({
      ...log,
      ...(clock && { clock }),
      active: tracer && (() => tracer.active()),
    });
  }
  return report === undefined ? consoleLog : () => undefined;
}

/** The same log. How much is written is a number, too. */
function counted(log: Log, metrics: Metrics): Log {
  const lines = {
    debug: metrics.counter(instruments.logged, { [attribute.level]: "debug" }),
    info: metrics.counter(instruments.logged, { [attribute.level]: "info" }),
    warn: metrics.counter(instruments.logged, { [attribute.level]: "warn" }),
    error: metrics.counter(instruments.logged, { [attribute.level]: "error" }),
  };
  return (level, event, fields) => {
    lines[level](1);
    log(level, event, fields);
  };
}
