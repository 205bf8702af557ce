import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openAuditLog, serve } from "@parley/a2a/node";
import type { Command } from "../command.js";
import { demoAgent } from "../demo-agent.js";
import { parseProxies, parseSecretKeys, readCertificate } from "../parse-security.js";
import { UsageError } from "../usage-error.js";

/** Serves the demo agent until it is told to stop. */
export const serveCommand: Command = {
  name: "serve",
  summary: "serve the demo agent in every version of the protocol",
  usage: [
    "Usage: parley serve [--port N] [--host ADDRESS] [--store PATH] [--public-url URL]",
    "                    [--grpc-port N | --no-grpc] [--stop-grace SECONDS] [--push-allow-private]",
    "                    [--allow-anonymous] [--trust-proxy ADDRESS]... [--audit-log PATH]",
    "                    [--tls-cert PATH --tls-key PATH]",
    "",
    "  --port N              the port, 4100 unless given; 0 for any that is free",
    "  --grpc-port N         the port of gRPC, the one after --port unless given",
    "  --no-grpc             do not serve gRPC",
    "  --host ADDRESS        the address to listen on, 127.0.0.1 unless given",
    "  --store PATH          the SQLite file tasks are kept in, .parley/parley.db unless given",
    "  --public-url URL      what callers reach this server under, for its card",
    "  --push-allow-private  send push notifications to this machine and private networks, too, and",
    "                        over http; for development",
    "  --allow-anonymous     listen on an address that others reach, although anyone may call",
    "  --trust-proxy ADDRESS believe what this proxy says of its callers: an address, a network such as",
    "                        10.0.0.0/8, or loopback; may be given more than once",
    "  --tls-cert PATH       serve over TLS with this certificate, in PEM, and with the key below",
    "  --tls-key PATH        the private key of the certificate, in PEM",
    "  --audit-log PATH      append every decision about callers to this file, as lines of JSON",
    "  --stop-grace SECONDS  how long tasks may go on when the server stops, 10 unless given; what is",
    "                        not done then is taken up by the next server over the same store",
    "",
    "PARLEY_SECRET_KEYS holds keys under which secrets are stored, each as ID:BASE64 of 32 bytes,",
    "separated by commas; the first is for new ones, the others are for what is there.",
    "",
  ].join("\n"),
  async run(args, output) {
    const abandoned = abandonedByNpm();
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: "string", default: "4100" },
        host: { type: "string", default: "127.0.0.1" },
        store: { type: "string", default: ".parley/parley.db" },
        "public-url": { type: "string" },
        "grpc-port": { type: "string" },
        "no-grpc": { type: "boolean", default: false },
        "push-allow-private": { type: "boolean", default: false },
        "stop-grace": { type: "string", default: "10" },
        "allow-anonymous": { type: "boolean", default: false },
        "trust-proxy": { type: "string", multiple: true, default: [] },
        "audit-log": { type: "string" },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
      },
    });
    const port = parsePort("--port", values.port);
    const grpcPort = parsePort("--grpc-port", values["grpc-port"] ?? nextTo(port));
    const publicUrl = values["public-url"];
    if (publicUrl !== undefined && !isBaseUrl(publicUrl)) {
      throw new UsageError(`--public-url is such as https://example.com/agents, not ${publicUrl}`, {
        hint: "parley help serve",
      });
    }
    const stopGraceMs = 1000 * parseSeconds("--stop-grace", values["stop-grace"]);
    const { host, store } = values;
    const trustsProxy = parseProxies(values["trust-proxy"]);
    const secretKeys = parseSecretKeys(process.env["PARLEY_SECRET_KEYS"]);
    const tls = await readCertificate(values["tls-cert"], values["tls-key"]);
    const auditPath = values["audit-log"];
    await using audit = auditPath === undefined ? undefined : await openAuditLog(auditPath);
    await using serving = await serve(demoAgent, {
      port,
      host,
      store,
      settings: { stopGraceMs },
      allowAnonymous: values["allow-anonymous"],
      ...(trustsProxy !== undefined && { trustsProxy }),
      ...(secretKeys !== undefined && { secretKeys }),
      ...(audit !== undefined && { audit }),
      ...(tls !== undefined && { tls }),
      push: { allowPrivate: values["push-allow-private"] },
      grpc: values["no-grpc"] ? false : { port: grpcPort },
      ...(publicUrl !== undefined && { publicUrl }),
    }).catch((error: unknown) => {
      throw explain(error, { port, grpcPort, isPair: values["grpc-port"] === undefined });
    });
    output.stdout.write(
      [
        `Card: ${serving.url}/.well-known/agent-card.json`,
        ...(serving.grpcAddress === undefined ? [] : [`gRPC: ${serving.grpcAddress}`]),
        `Store: ${serving.store}`,
        "Callers: everyone who reaches this address is the same caller (no authentication)",
        `Try: ${tryLine(serving.url)}`,
        "",
      ].join("\n"),
    );
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), abandoned]);
    output.stderr.write("Stopping\n");
    return 0;
  },
};

function parsePort(option: string, text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`${option} is a number from 0 to 65535, not ${text}`, {
    hint: "parley help serve",
  });
}

/** So that a second server needs no more than another --port. Any that is free beside such, or the last. */
function nextTo(port: number): string {
  return String(port === 0 || port === 65_535 ? 0 : port + 1);
}

/** Paths of the agent are put behind it, so it has nothing that has to come last. */
function isBaseUrl(text: string): boolean {
  return /^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text);
}

/**
 * Resolves when this was started by `npm start` and that is no more: npm passes a signal to the shell that
 * it runs scripts in, which dies of it and tells nobody.
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
  throw new UsageError(`${option} is a number of seconds, not ${text}`, {
    hint: "parley help serve",
  });
}

interface Ports {
  readonly port: number;
  readonly grpcPort: number;
  /** Nobody chose the one of gRPC. Where it is taken, the other often is, too, by the same server. */
  readonly isPair: boolean;
}

function explain(cause: unknown, { port, grpcPort, isPair }: Ports): unknown {
  const isTaken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  if (!isTaken) return cause;
  const isGrpc = "port" in cause && cause.port === grpcPort;
  if (isGrpc && isPair) {
    const advice = "choose another pair with --port, or --grpc-port alone";
    return new Error(`port ${grpcPort}, which gRPC would have, is in use; ${advice}`, { cause });
  }
  const [option, taken] = isGrpc ? ["--grpc-port", grpcPort] : ["--port", port];
  return new Error(`port ${taken} is in use; choose another with ${option}`, { cause });
}

function tryLine(url: string): string {
  const message = { messageId: "1", role: "ROLE_USER", parts: [{ text: "echo hello" }] };
  const body = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message } };
  return `curl -sS ${url} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
}
