import { parseArgs } from "node:util";
import type { ParseArgsConfig } from "node:util";

/** Options with a value. */
const texts = [
  // What is served
  "exec",
  "http",
  "openai",
  "model",
  "system",
  "a2a",
  "name",
  "description",
  // Where
  "store",
  "bus",
  "public-url",
  "grpc-port",
  "tls-cert",
  "tls-key",
  "inspector-port",
  // For whom
  "auth",
  "audit-log",
  // How much
  "max-runs",
  "max-task-size",
  "max-tasks",
  "rate",
  "max-wait",
  "retention",
  "waiting-retention",
  // How it stops
  "drain-delay",
  "stop-grace",
  // What an operator sees
  "metrics-port",
  "metrics-host",
  "log-level",
  "log-format",
] as const;

/** Options with a value that may be repeated. */
const lists = ["header", "public-host", "key", "audience", "trust-proxy", "cors"] as const;

/** Options without a value. */
const switches = [
  "at-most-once",
  "watch",
  "grpc-in-card",
  "no-grpc",
  "inspector",
  "allow-anonymous",
  "push-allow-private",
  "strict",
  "metrics",
] as const;

/** What the options of a command line of `parley serve` say. */
export type ServeFlags = Readonly<Record<(typeof texts)[number], string | undefined>> &
  Readonly<Record<(typeof lists)[number], readonly string[]>> &
  Readonly<Record<(typeof switches)[number], boolean>> & {
    readonly port: string;
    readonly host: string;
  };

const options: NonNullable<ParseArgsConfig["options"]> = {
  port: { type: "string", default: "4100" },
  host: { type: "string", default: "127.0.0.1" },
  ...each(texts, { type: "string" }),
  ...each(lists, { type: "string", multiple: true, default: [] }),
  ...each(switches, { type: "boolean", default: false }),
};

/** Parses the arguments of `parley serve`: options, and the modules to serve. */
export function parseFlags(args: readonly string[]): {
  readonly flags: ServeFlags;
  readonly modules: readonly string[];
} {
  const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  return { flags: parsed.values as unknown as ServeFlags, modules: parsed.positionals };
}

function each<T>(names: readonly string[], option: T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name) => [name, option]));
}
