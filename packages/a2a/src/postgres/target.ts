import process from "node:process";
import type pg from "pg";
import { A2AError } from "../protocol/internal.js";
import { tlsAttempts } from "./tls-settings.js";
import type { TlsAttempts } from "./tls-settings.js";

/** One of the servers that may have the database. */
export interface Place {
  readonly config: pg.ClientConfig;
  readonly tls: TlsAttempts;
}

/** The database that connections go to. */
export interface Target {
  readonly pg: typeof pg;
  /** Tried in order; the one that takes writes is the one that is meant. */
  readonly places: readonly Place[];
  readonly database: string;
  readonly user: string;
  /** Where the tables are: `?schema=` of the URL, else `parley`. */
  readonly schema: string;
  /** `host:port/database`, with all hosts. */
  readonly description: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const example = "postgres://user:password@host:5432/database";
const schemes = /^postgres(?:ql)?:\/\//;

/**
 * Reads where the database is: the URL, else `DATABASE_URL`, else `PG*` variables, as psql does. Members of the URL win over
 * variables. Throws an `A2AError` in plain words, without the password.
 */
export function parseTarget(
  driver: typeof pg,
  url: string | undefined,
  env: Environment = process.env,
): Target {
  const source = url === undefined ? "DATABASE_URL" : "the URL of the database";
  // Files of settings write a variable that is not set as an empty one.
  const valueOf = (name: string): string | undefined => env[name] || undefined;
  const given = url ?? valueOf("DATABASE_URL");
  const refuse = (what: string): A2AError => new A2AError("UNAVAILABLE", `${source} ${what}`);
  if (given !== undefined && !schemes.test(given)) {
    const [scheme] = /^[a-z][a-z+.-]*:/i.exec(given) ?? ["none of these"];
    throw refuse(`begins with ${scheme} and has to begin with postgres://; write it as ${example}`);
  }
  const [address = "", query = ""] = given?.split(/\?(.*)/s) ?? [];
  const parameters = new URLSearchParams(query);
  const take = (name: string): string | undefined => {
    const value = parameters.get(name) ?? valueOf(`PG${name.toUpperCase()}`);
    parameters.delete(name);
    return value;
  };
  const ssl = { true: "require", "1": "require", false: "disable", "0": "disable" }[
    parameters.get("ssl") ?? ""
  ];
  const isDirect = parameters.get("sslnegotiation") === "direct";
  const sslmode = take("sslmode") ?? ssl ?? (isDirect ? "require" : undefined);
  const files = {
    sslrootcert: take("sslrootcert"),
    sslcert: take("sslcert"),
    sslkey: take("sslkey"),
  };
  const schema = parameters.get("schema") ?? "parley";
  if (schema === "") throw refuse("has schema= without a name; write schema=NAME or leave it out");
  for (const name of ["ssl", "uselibpqcompat", "schema"]) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : "";
  const addresses: readonly pg.ClientConfig[] =
    given === undefined
      ? hostsOf(valueOf("PGHOST"), valueOf("PGPORT"))
      : urlsOf(address).map((one) => ({ connectionString: `${one}${rest}` }));
  const configs = addresses.map((one) => ({ ...common, ...one }));
  const clients = configs.map((config) => clientOf(driver, config, refuse));
  const [{ database = "", user = "" } = {}] = clients;
  const hosts = clients.map(
    ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
  );
  const description = `${hosts.join(",")}/${database}`;
  try {
    const places = clients.map(({ host }, index) => ({
      config: configs[index] ?? common,
      tls: tlsAttempts({ sslmode, ...files }, host.startsWith("/")),
    }));
    return { pg: driver, places, database, user, schema, description };
  } catch (error) {
    throw new A2AError(
      "UNAVAILABLE",
      `cannot use the database ${description}: ${messageOf(error)}`,
    );
  }
}

const common: pg.ClientConfig = {
  ssl: false,
  fallback_application_name: "parley",
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};

/** A URL for each host of `postgres://user@one:5432,two:5433/database`, which the driver does not know. */
function urlsOf(address: string): readonly string[] {
  const [, before = "", hosts = "", after = ""] =
    /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/]*)(.*)$/s.exec(address) ?? [];
  return hosts.split(",").map((host) => `${before}${host}${after}`);
}

/** As PGHOST and PGPORT name them: several are separated by commas; one port is for all. */
function hostsOf(hosts: string | undefined, ports: string | undefined): readonly pg.ClientConfig[] {
  if (hosts?.includes(",") !== true) return [{}];
  const numbers = ports?.split(",").map(Number) ?? [];
  return hosts
    .split(",")
    .map((host, index) => ({ host, port: numbers[index] ?? numbers[0] ?? 5432 }));
}

/** The driver reads the URL and the variables. A client that is not connected costs nothing. */
function clientOf(
  driver: typeof pg,
  config: pg.ClientConfig,
  refuse: (what: string) => A2AError,
): pg.Client {
  try {
    const client = new driver.Client({ ...config, ssl: undefined });
    if (client.port > 0 && client.port < 65_536) return client;
  } catch {
    // The error of the driver may show the password.
  }
  throw refuse(`is not a valid URL; write it as ${example}, with %-escapes in the password`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
