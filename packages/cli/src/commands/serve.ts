import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openAuditLog, serve } from "@parley/a2a/node";
import type { Command } from "../command.js";
import { demoAgent, extendedDemoAgent } from "../demo-agent.js";
import { parseDuration } from "../parse-duration.js";
import {
  keyHeader,
  parseApiKey,
  parseProxies,
  parseSecretKeys,
  readCertificate,
} from "../parse-security.js";
import { UsageError } from "../usage-error.js";

const hint = "parley help serve";

/** Serves the demo agent until the process receives SIGINT or SIGTERM. */
export const serveCommand: Command = {
  usage: [
    "Usage: parley serve [--port N] [--host ADDRESS] [--store URL] [--bus URL]",
    "                    [--public-url URL] [--public-host NAME]...",
    "                    [--grpc-port N | --no-grpc] [--grpc-in-card] [--stop-grace SECONDS]",
    "                    [--drain-delay DURATION]",
    "                    [--push-allow-private] [--allow-anonymous] [--trust-proxy ADDRESS]...",
    "                    [--audit-log PATH] [--tls-cert PATH --tls-key PATH] [--cors ORIGIN]...",
    "                    [--retention DURATION] [--waiting-retention DURATION]",
    "                    [--max-wait DURATION] [--strict]",
    "",
    "  --port N              the port for HTTP, default 4100; 0 chooses a free port",
    "  --grpc-port N         the port for gRPC, default the one after --port",
    "  --grpc-in-card        list gRPC in the agent card; some clients refuse a card with an address of gRPC",
    "  --no-grpc             do not serve gRPC",
    "  --host ADDRESS        the address to listen on, default 127.0.0.1",
    "  --store URL           where tasks are kept: postgres://…, the path of a SQLite file, or memory:; default",
    "                        the environment variable DATABASE_URL, else .parley/parley.db",
    "  --bus URL             what wakes the other servers of the same store: nats://…, tls://…, postgres://… or",
    "                        memory: for none; default NATS_URL, else the database if it is PostgreSQL",
    "  --public-url URL      the URL at which callers reach this server, for its agent card",
    "  --public-host NAME    another host by which callers reach this server, such as example.com; it answers",
    "                        for no others, also behind a trusted proxy; can be repeated",
    "  --push-allow-private  also send push notifications to this machine, to private networks and over",
    "                        plain HTTP; for development only",
    "  --allow-anonymous     allow a --host that other machines can reach, although anyone may call",
    "  --trust-proxy ADDRESS trust the caller addresses that this proxy forwards: an address, a network",
    "                        such as 10.0.0.0/8, or loopback; can be repeated",
    "  --tls-cert PATH       serve over TLS with this certificate (PEM); needs --tls-key",
    "  --tls-key PATH        the private key of the certificate (PEM)",
    "  --cors ORIGIN         let web pages of this origin call, such as https://page.example; * for all; can be",
    "                        repeated",
    "  --retention DURATION  delete tasks this long after they ended, such as 7d, 12h or 30m; default never",
    "  --waiting-retention DURATION",
    "                        fail tasks that have waited this long for their caller; default never",
    "  --max-wait DURATION   how long callers before 1.0 that do not say whether they wait get no answer while",
    "                        their task works, default 30s; then they get the task as it is",
    "  --strict              serve by the letter: a request that names no version is one of 0.3, what a version",
    "                        requires must be there, and a reader who names none gets the card of 1.0",
    "                        (docs/strict.md)",
    "  --audit-log PATH      append each decision about a caller to this file, as a line of JSON",
    "  --drain-delay DURATION",
    "                        how long the server goes on taking calls when it stops, while /readyz answers 503, so",
    "                        that load balancers see it; default PARLEY_DRAIN_DELAY_MS, else none",
    "  --stop-grace SECONDS  how long running tasks may continue when the server stops, default 10; the",
    "                        next server with the same store continues unfinished tasks",
    "",
    "With the environment variable PARLEY_API_KEY, callers have to show this key in the header X-API-Key, and",
    "the agent has an extended card for them.",
    "",
    "The environment variable PARLEY_SECRET_KEYS holds the keys that encrypt stored secrets: ID:BASE64 of",
    "32 bytes each, separated by commas. The first key encrypts; all keys decrypt.",
    "",
    "Where a pooler in transaction mode is in front of the database, PARLEY_LISTEN_URL is the URL of the database",
    "itself, for LISTEN. PG* variables and files such as ~/.pgpass complete a postgres:// URL.",
    "",
  ].join("\n"),
  async run(args, output) {
    const abandoned = abandonedByNpm();
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "4100" },
        host: { type: "string", default: "127.0.0.1" },
        store: { type: "string" },
        bus: { type: "string" },
        "drain-delay": { type: "string" },
        "public-url": { type: "string" },
        "public-host": { type: "string", multiple: true, default: [] },
        "grpc-port": { type: "string" },
        "grpc-in-card": { type: "boolean", default: false },
        "no-grpc": { type: "boolean", default: false },
        "push-allow-private": { type: "boolean", default: false },
        "stop-grace": { type: "string", default: "10" },
        "allow-anonymous": { type: "boolean", default: false },
        "trust-proxy": { type: "string", multiple: true, default: [] },
        "audit-log": { type: "string" },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
        cors: { type: "string", multiple: true, default: [] },
        retention: { type: "string" },
        "waiting-retention": { type: "string" },
        strict: { type: "boolean", default: false },
        "max-wait": { type: "string" },
      },
    });
    const port = parsePort("--port", values.port);
    const grpcPort = parsePort("--grpc-port", values["grpc-port"] ?? nextTo(port));
    if (port === grpcPort && port !== 0 && !values["no-grpc"]) {
      throw new UsageError(`--port and --grpc-port are both ${port}; choose two ports`, { hint });
    }
    if (values["grpc-in-card"] && values["no-grpc"]) {
      throw new UsageError("--grpc-in-card needs gRPC; leave out --no-grpc", { hint });
    }
    for (const option of ["host", "store", "bus"] as const) {
      if (values[option] === "")
        throw new UsageError(`--${option} is empty; give a value`, { hint });
    }
    const publicUrl = values["public-url"];
    if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
      throw new UsageError(
        `--public-url must be a URL such as https://example.com/agents, not ${publicUrl}`,
        { hint },
      );
    }
    const publicHosts = values["public-host"];
    for (const name of publicHosts) {
      if (!isHost(name)) {
        throw new UsageError(`--public-host must be a host such as example.com, not ${name}`, {
          hint,
        });
      }
    }
    const stopGraceMs = Math.round(1000 * parseSeconds("--stop-grace", values["stop-grace"]));
    const drainDelayMs = parseDuration("--drain-delay", values["drain-delay"]);
    const retentionMs = parseDuration("--retention", values.retention);
    const waitingRetentionMs = parseDuration("--waiting-retention", values["waiting-retention"]);
    const maxWaitMs = parseDuration("--max-wait", values["max-wait"]);
    const { host, store, bus, strict, cors: origins } = values;
    const trustsProxy = parseProxies(values["trust-proxy"]);
    const secretKeys = parseSecretKeys(process.env["PARLEY_SECRET_KEYS"]);
    const auth = await parseApiKey(process.env["PARLEY_API_KEY"]);
    const tls = await readCertificate(values["tls-cert"], values["tls-key"]);
    const auditPath = values["audit-log"];
    await using audit = auditPath === undefined ? undefined : await openAuditLog(auditPath);
    await using serving = await serve(auth === undefined ? demoAgent : extendedDemoAgent, {
      port,
      host,
      ...(store !== undefined && { store }),
      ...(bus !== undefined && { bus }),
      ...(drainDelayMs !== undefined && { drainDelayMs }),
      settings: {
        stopGraceMs,
        ...(retentionMs !== undefined && { retentionMs }),
        ...(waitingRetentionMs !== undefined && { waitingRetentionMs }),
        ...(maxWaitMs !== undefined && { maxWaitMs }),
      },
      ...(origins.length > 0 && { cors: { origins } }),
      strict,
      allowAnonymous: values["allow-anonymous"],
      ...(trustsProxy !== undefined && { trustsProxy }),
      ...(secretKeys !== undefined && { secretKeys }),
      ...(auth !== undefined && { auth }),
      ...(audit !== undefined && { audit }),
      ...(tls !== undefined && { tls }),
      push: { allowPrivate: values["push-allow-private"] },
      grpc: values["no-grpc"] ? false : { port: grpcPort, inCard: values["grpc-in-card"] },
      ...(publicUrl !== undefined && { publicUrl }),
      ...(publicHosts.length > 0 && { publicHosts }),
    }).catch((error: unknown) => {
      throw explain(error);
    });
    // Before it is said that the server runs: whoever reads that may stop it at once.
    const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), abandoned]);
    output.stdout.write(
      [
        `Page: ${serving.url}`,
        `Card: ${serving.url}/.well-known/agent-card.json`,
        ...(serving.grpcAddress === undefined ? [] : [`gRPC: ${serving.grpcAddress}`]),
        `Store: ${serving.store}`,
        `Bus: ${serving.bus}`,
        `Callers: ${auth === undefined ? openToAll : keyed}`,
        `Try: ${tryLine(serving.url, { strict, isKeyed: auth !== undefined })}`,
        "",
      ].join("\n"),
    );
    await stopped;
    output.stderr.write("Stopping\n");
    return 0;
  },
};

const openToAll = "no authentication; everyone who reaches this address counts as the same caller";
const keyed = `those who show the key of PARLEY_API_KEY in ${keyHeader}; they also get the extended card`;

function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option} must be a number from 0 to 65535, not ${text}`, {
    hint,
  });
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

/**
 * Resolves when `npm start` has started this process and has ended. npm passes a signal only to the shell
 * in which it runs a script, and that shell dies without passing the signal on.
 */
async function abandonedByNpm(): Promise<void> {
  const { npm_lifecycle_event: script } = process.env;
  const parent = process.ppid;
  if (script !== "start") return new Promise(() => undefined);
  while (process.ppid === parent) await sleep(250, undefined, { ref: false });
}

function parseSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds >= 0 && seconds <= 86_400) return seconds;
  throw new UsageError(`${option} must be a number of seconds up to 86400, not ${text}`, {
    hint,
  });
}

/** The options of this command, by the names that the errors of `serve` give them. */
const flags: Readonly<Record<string, string>> = {
  "{ grpc: { port } }": "--grpc-port",
  "{ port }": "--port",
  "{ host }": "--host",
};

/** An error of `serve` with the options as they are called here. */
function explain(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const [, problem] = /^serve\(\): cors\.origins\[\d+\] (.*)$/.exec(cause.message) ?? [];
  if (problem !== undefined) return new UsageError(`--cors ${problem}`, { hint, cause });
  if (/^(?:store|bus) (?:begins with|names no|is sqlite:)/.test(cause.message)) {
    return new UsageError(`--${cause.message}`, { hint, cause });
  }
  const [name] = Object.keys(flags).filter((one) => cause.message.includes(one));
  if (name === undefined) return cause;
  return new Error(cause.message.replace(name, flags[name] ?? name), { cause });
}

function tryLine(
  url: string,
  { strict, isKeyed }: { readonly strict: boolean; readonly isKeyed: boolean },
): string {
  const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "echo hello" }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  const headers = [
    "-H 'Content-Type: application/json'",
    ...(strict ? ["-H 'A2A-Version: 1.0'"] : []),
    ...(isKeyed ? [`-H "${keyHeader}: $PARLEY_API_KEY"`] : []),
  ].join(" ");
  return `curl -sS ${url} ${headers} -d '${JSON.stringify(body)}'`;
}
