import type { CallLimits, Rate } from "../auth/internal.js";
import { grpcBoundRules } from "../binding/internal.js";
import { httpRules } from "../http/internal.js";
import {
  ageMs,
  atLeast,
  callback,
  either,
  fields,
  flag,
  listOf,
  oneOf,
  port,
  rule,
  secret,
  text,
  timerMs,
  withMethods,
} from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";
import { runtimeRules } from "../server/internal.js";
import type { SealKey } from "../store/internal.js";
import type { LogOptions } from "./log/create-log.js";
import type { MetricsOptions } from "./metrics/metrics-options.js";
import type { ServePushOptions } from "./push/serve-push-options.js";
import type { SecurityOptions } from "./security.js";
import type { ServeGrpcOptions } from "./serve-grpc-options.js";
import type { ServeOptions } from "./serve-options.js";
import type { Timeouts } from "./web-server.js";

type CallerLimits = NonNullable<CallLimits["perPrincipal"]>;

const positive: Rule = rule((value) =>
  typeof value === "number" && value > 0 ? undefined : "a number above 0",
);
const rate: Rule = fields<Rate>({ perSecond: positive, burst: atLeast(1) }, ["perSecond", "burst"]);
const callerLimits: Rules<CallerLimits> = {
  requests: rate,
  concurrentStreams: atLeast(0),
};
const callLimits: Rules<CallLimits> = {
  perPrincipal: fields(callerLimits),
  perAddress: fields(callerLimits),
};

const security: Rules<SecurityOptions> = {
  authorize: callback,
  skillOf: callback,
  callLimits: fields(callLimits),
  audit: withMethods(["record"], "an audit log, such as await openAuditLog(path)"),
};

const timeouts: Rules<Timeouts> = {
  headersMs: timerMs(1),
  requestMs: timerMs(1),
  idleMs: timerMs(1),
};

const metrics: Rules<MetricsOptions> = {
  port,
  host: text('an address, such as "127.0.0.1"'),
  maxSeries: atLeast(100),
};

const log: Rules<LogOptions> = {
  level: oneOf("debug", "info", "warn", "error", "silent"),
  format: oneOf("json", "text"),
  write: callback,
};

const tls: Rule = secret((value) => {
  const given = (typeof value === "object" ? value : null) ?? {};
  const hasPair = "key" in given && "cert" in given;
  return hasPair || "pfx" in given || "SNICallback" in given
    ? undefined
    : "an object with key and cert, both in PEM";
});

const pem: Rule = secret((value) =>
  value instanceof Uint8Array ? undefined : "a Buffer with PEM, such as await readFile(path)",
);
const grpcOptions: Rules<ServeGrpcOptions> = {
  port,
  inCard: flag,
  tls: fields<NonNullable<ServeGrpcOptions["tls"]>>({ key: pem, certificate: pem }, [
    "key",
    "certificate",
  ]),
  ...grpcBoundRules,
};
const grpc: Rule = fields(grpcOptions, [], "an object such as { port: 4101 }, or false");

const networks: Rule = listOf(text("a network"), 'true, false or a list such as ["10.20.0.0/16"]');
const push: Rules<ServePushOptions> = {
  allowPrivate: either((value) => typeof value === "boolean", networks),
  schemes: listOf(oneOf("https", "http"), 'a list such as ["https"]'),
  isPortAllowed: callback,
  isAllowed: callback,
  resolve: callback,
  maxConnectionsPerHost: atLeast(1),
  maxIdleConnections: atLeast(0),
  tls: secret((value) => (typeof value === "object" && value !== null ? undefined : "an object")),
  challenge: flag,
  newReceivers: rate,
  keys: secret((value) => (Array.isArray(value) ? undefined : "a list of private keys in JWK")),
  rotateKeysMs: ageMs(1),
  keysUrl: either(
    (value) => typeof value === "function",
    text("a URL, or a function that gives it"),
  ),
};

const secretKeys: Rule = secret((value) =>
  Array.isArray(value) && value.every(isSealKey)
    ? undefined
    : 'a list of keys, such as [parseSealKey("k1", base64)]',
);

const publicHost: Rule = rule((value) =>
  typeof value === "string" && /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i.test(value)
    ? undefined
    : 'a host without scheme and path, such as "agents.example.com"',
);

const { agent: _, store, bus, ...runtimeOptions } = runtimeRules;
const isText = (value: unknown): boolean => typeof value === "string";
const { mounts: __, ...httpOptions } = httpRules;

const rules: Rules<ServeOptions> = {
  ...httpOptions,
  ...runtimeOptions,
  ...security,
  port,
  host: text('an address, such as "127.0.0.1"'),
  publicHosts: listOf(publicHost, 'a list of hosts, such as ["agents.example.com"]'),
  allowAnonymous: flag,
  store: either(isText, store),
  bus: either(isText, bus),
  secretKeys,
  tls,
  timeouts: fields(timeouts),
  maxConnections: atLeast(1),
  drainDelayMs: timerMs(0),
  drainMs: timerMs(0),
  grpc: either((value) => value === false, grpc),
  push: fields(push),
  metrics: either((value) => value === false, fields(metrics)),
  log: fields(log),
  inspector: withMethods(["watch", "open"], "an inspector, such as createInspector()"),
};

/** What `serve` may be given beside agents. */
export const serveRule: Rule = fields(rules, [], "an object such as { port: 4100 }");

function isSealKey(value: unknown): boolean {
  const { id, bytes } = (value ?? {}) as Partial<SealKey>;
  return typeof id === "string" && bytes instanceof Uint8Array;
}
