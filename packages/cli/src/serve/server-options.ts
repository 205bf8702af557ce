import process from "node:process";
import type { LogOptions, ServeOptions } from "@parley/a2a/node";
import { parseDuration } from "../parse-duration.js";
import { parseProxies, parseSecretKeys, readCertificate } from "../parse-security.js";
import type { ServeFlags } from "./flags.js";
import { parseCount, parsePort, parseSeconds, parseSize } from "./parse-number.js";
import { refuse } from "./refuse.js";

type Settings = NonNullable<ServeOptions["settings"]>;

/** The options of `serve` that a command line asks for, all but who may call and where decisions are written down. */
export async function readServerOptions(
  flags: ServeFlags,
  stopGraceSeconds: string,
): Promise<ServeOptions> {
  const port = parsePort("--port", flags.port);
  const grpcPort = parsePort("--grpc-port", flags["grpc-port"] ?? nextTo(port));
  if (port === grpcPort && port !== 0 && !flags["no-grpc"]) {
    throw refuse(`--port and --grpc-port are both ${port}; choose two ports`);
  }
  if (flags["grpc-in-card"] && flags["no-grpc"]) {
    throw refuse("--grpc-in-card needs gRPC; leave out --no-grpc");
  }
  for (const option of ["host", "store", "bus", "metrics-host"] as const) {
    if (flags[option] === "") throw refuse(`--${option} is empty; give a value`);
  }
  const drainDelayMs = parseDuration("--drain-delay", flags["drain-delay"]);
  const trustsProxy = parseProxies(flags["trust-proxy"]);
  const secretKeys = parseSecretKeys(process.env["PARLEY_SECRET_KEYS"]);
  const rate = parseCount("--rate", flags.rate);
  const addresses = readAddresses(flags);
  const tls = await readCertificate(flags["tls-cert"], flags["tls-key"]);
  const { host, store, bus, strict, cors: origins } = flags;
  return {
    port,
    host,
    strict,
    ...addresses,
    ...(store !== undefined && { store }),
    ...(bus !== undefined && { bus }),
    ...(drainDelayMs !== undefined && { drainDelayMs }),
    settings: readSettings(flags, stopGraceSeconds),
    ...(rate !== undefined && { callLimits: limitsOf(rate) }),
    ...(origins.length > 0 && { cors: { origins } }),
    allowAnonymous: flags["allow-anonymous"],
    ...(trustsProxy !== undefined && { trustsProxy }),
    ...(secretKeys !== undefined && { secretKeys }),
    ...(tls !== undefined && { tls }),
    ...readMetrics(flags),
    push: { allowPrivate: flags["push-allow-private"] },
    ...(flags.inspector && { inspector: await openInspector(port, flags["inspector-port"]) }),
    grpc: flags["no-grpc"] ? false : { port: grpcPort, inCard: flags["grpc-in-card"] },
  };
}

function readSettings(flags: ServeFlags, stopGraceSeconds: string): Settings {
  const seconds = parseSeconds("--stop-grace", flags["stop-grace"] ?? stopGraceSeconds);
  const retentionMs = parseDuration("--retention", flags.retention);
  const waitingRetentionMs = parseDuration("--waiting-retention", flags["waiting-retention"]);
  const maxWaitMs = parseDuration("--max-wait", flags["max-wait"]);
  const maxConcurrentRuns = parseCount("--max-runs", flags["max-runs"]);
  const maxTaskBytes = parseSize("--max-task-size", flags["max-task-size"]);
  const maxTasksPerPrincipal = parseCount("--max-tasks", flags["max-tasks"]);
  return {
    stopGraceMs: Math.round(1000 * seconds),
    ...(retentionMs !== undefined && { retentionMs }),
    ...(waitingRetentionMs !== undefined && { waitingRetentionMs }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(maxConcurrentRuns !== undefined && { maxConcurrentRuns }),
    ...(maxTaskBytes !== undefined && { maxTaskBytes }),
    ...(maxTasksPerPrincipal !== undefined && { maxTasksPerPrincipal }),
  };
}

/** Where `/metrics` is served, if a command line asks for it. */
function readMetrics(flags: ServeFlags): Pick<ServeOptions, "metrics"> {
  const { metrics, "metrics-port": port, "metrics-host": host } = flags;
  if (!metrics && port === undefined && host === undefined) return {};
  return {
    metrics: {
      ...(port !== undefined && { port: parsePort("--metrics-port", port) }),
      ...(host !== undefined && { host }),
    },
  };
}

/** What is written to the log, and how. */
export function readLogOptions(flags: ServeFlags): LogOptions {
  const level = oneOf("--log-level", flags["log-level"], logLevels);
  const format = oneOf("--log-format", flags["log-format"], logFormats);
  return { ...(level !== undefined && { level }), ...(format !== undefined && { format }) };
}

const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
const logFormats = ["json", "text"] as const;

function oneOf<T extends string>(
  option: string,
  given: string | undefined,
  values: readonly T[],
): T | undefined {
  const found = values.find((value) => value === given);
  if (given === undefined || found !== undefined) return found;
  throw refuse(`${option} is ${JSON.stringify(given)}; expected ${values.join(", ")}`);
}

/** A caller, and an address, may call this often in a second, and ten times as often for a moment. */
function limitsOf(perSecond: number): NonNullable<ServeOptions["callLimits"]> {
  const requests = { perSecond, burst: 10 * perSecond };
  return { perPrincipal: { requests }, perAddress: { requests } };
}

function readAddresses(flags: ServeFlags): Pick<ServeOptions, "publicUrl" | "publicHosts"> {
  const { "public-url": publicUrl, "public-host": publicHosts } = flags;
  if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
    throw refuse(`--public-url must be a URL such as https://example.com/agents, not ${publicUrl}`);
  }
  for (const name of publicHosts) {
    if (!isHost(name))
      throw refuse(`--public-host must be a host such as example.com, not ${name}`);
  }
  return {
    ...(publicUrl !== undefined && { publicUrl }),
    ...(publicHosts.length > 0 && { publicHosts }),
  };
}

/** The inspector that stands beside the server. It is loaded only where it is asked for. */
async function openInspector(
  port: number,
  asked: string | undefined,
): Promise<NonNullable<ServeOptions["inspector"]>> {
  const near = port === 0 || port + 80 > 65_535 ? 0 : port + 80;
  const { createInspector } = await import("@parley/inspector");
  return createInspector({ port: parsePort("--inspector-port", asked ?? String(near)) });
}

/**
 * The default port of gRPC: the one after --port, so that a second server needs only another --port. 0
 * means any free port.
 */
function nextTo(port: number): string {
  return String(port === 0 || port === 65_535 ? 0 : port + 1);
}

/** Whether a text is an HTTP URL without query and fragment, so that paths can be appended. */
function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text);
}

/** Whether a text is a host, perhaps with a port, without scheme and path. */
function isHost(text: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i.test(text);
}
