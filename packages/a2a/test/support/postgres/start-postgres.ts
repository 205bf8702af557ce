import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { findFreePort } from "./find-free-port.js";
import type { PostgresVersion } from "./find-programs.js";
import { openBinaries } from "./open-binaries.js";
import { giveToServer, serverUser, startDependent } from "./start-dependent.js";
import type { Dependent } from "./start-dependent.js";

export interface TestPostgresOptions {
  readonly version?: PostgresVersion;
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A certificate and its key, as PEM. The server then takes TLS and plain connections. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface RestartOptions {
  /** `fast` ends all connections and writes everything to disk; `immediate` is a crash. */
  readonly mode?: "fast" | "immediate";
  /** Settings that differ from now on. */
  readonly settings?: Readonly<Record<string, string>>;
  /** From now on a standby that only answers queries, or no longer one. */
  readonly isStandby?: boolean;
}

/** A PostgreSQL server of one test file. */
export interface TestPostgres extends AsyncDisposable {
  /** The URL of the database `postgres`, as superuser with a password. */
  readonly url: string;
  readonly port: number;
  /** The process id of the server, of which all others are children. */
  readonly pid: number;
  /** Where its files are, and its programs. */
  readonly dataFolder: string;
  readonly binFolder: string;
  /** Makes an empty database and resolves with its URL. */
  createDatabase(): Promise<string>;
  /** Runs statements as superuser, in the database `postgres` or that of a URL. */
  run(statement: string, url?: string): Promise<readonly Record<string, unknown>[]>;
  /** Stops and starts it again, on the same port. */
  restart(options?: RestartOptions): Promise<void>;
  /** Stops it until `start`. */
  halt(mode?: "fast" | "immediate"): Promise<void>;
  start(options?: Omit<RestartOptions, "mode">): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** Small, with everything that makes a commit durable. */
const settingsOfTests = {
  listen_addresses: "127.0.0.1",
  shared_buffers: "16MB",
  max_connections: "200",
  max_wal_size: "256MB",
  log_min_messages: "log",
  autovacuum_naptime: "10s",
};

const signals = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

/** Starts a PostgreSQL server that nobody else uses. It ends with the test process. */
export async function startPostgres(options: TestPostgresOptions = {}): Promise<TestPostgres> {
  const { version = 18, tls } = options;
  const binFolder = await openBinaries(version);
  const folder = await mkdtemp(join(tmpdir(), "parley-pg-"));
  await giveToServer(folder);
  const dataFolder = join(folder, "data");
  const passwordFile = join(folder, "password");
  const password = "not a secret/at all";
  await writeFile(passwordFile, password);
  await run(
    join(binFolder, "initdb"),
    [
      ["-D", dataFolder, "-U", "parley", "-A", "scram-sha-256", "--pwfile", passwordFile],
      ["-E", "UTF8", "--locale=C", "--no-sync"],
    ].flat(),
    { ...serverUser, cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C" } },
  );
  let settings: Readonly<Record<string, string>> = {
    ...settingsOfTests,
    unix_socket_directories: folder,
    ...(tls && { ssl: "on" }),
    ...options.settings,
  };
  if (tls) await writeTls(dataFolder, tls);
  const launch = (port: number): Promise<Dependent> =>
    startDependent(
      join(binFolder, "postgres"),
      ["-D", dataFolder, "-p", `${port}`, ...asArguments(settings)],
      { ready: /ready to accept/u, folder },
    );
  let { server, port } = await onFreePort(launch);
  const urlOf = (database: string): string =>
    `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
  const url = urlOf("postgres");
  let databases = 0;

  const test: TestPostgres = {
    url,
    port,
    dataFolder,
    binFolder,
    get pid() {
      return server.pid;
    },
    async createDatabase() {
      const name = `test_${++databases}`;
      await test.run(`CREATE DATABASE ${name}`);
      return urlOf(name);
    },
    run: (statement, at = url) => runStatement(at, statement),
    halt: (mode = "fast") => server.end(signals[mode]),
    async start({ settings: changed, isStandby } = {}) {
      settings = { ...settings, ...changed };
      const mark = join(dataFolder, "standby.signal");
      if (isStandby === true) await writeFile(mark, "");
      if (isStandby === false) await rm(mark, { force: true });
      server = await launch(port);
    },
    async restart({ mode, ...rest } = {}) {
      await test.halt(mode);
      await test.start(rest);
    },
    async stop() {
      await server.end(signals.immediate);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
    [Symbol.asyncDispose]: () => test.stop(),
  };
  return test;
}

/** Somebody may take the port between the look and the start. */
async function onFreePort(
  launch: (port: number) => Promise<Dependent>,
  attempts = 5,
): Promise<{ server: Dependent; port: number }> {
  const port = await findFreePort();
  try {
    return { server: await launch(port), port };
  } catch (error) {
    if (attempts === 1 || !/could not bind|in use/u.test(String(error))) throw error;
    return onFreePort(launch, attempts - 1);
  }
}

async function writeTls(dataFolder: string, tls: { cert: string; key: string }): Promise<void> {
  for (const [name, pem] of [
    ["server.crt", tls.cert],
    ["server.key", tls.key],
  ] as const) {
    const path = join(dataFolder, name);
    await writeFile(path, pem, { mode: 0o600 });
    await giveToServer(path);
  }
}

function asArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function runStatement(
  url: string,
  statement: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
