import process from "node:process";
import type pg from "pg";
import { A2AError } from "../protocol/internal.js";
import { tlsAttempts } from "./tls-settings.js";
import type { TlsAttempts } from "./tls-settings.js";

/** The database that connections go to. */
export interface Target {
  readonly pg: typeof pg;
  readonly config: pg.ClientConfig;
  readonly tls: TlsAttempts;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** `host:port/database`. */
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
  for (const name of ["ssl", "uselibpqcompat"]) parameters.delete(name);
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : "";
  const config: pg.ClientConfig = {
    ...(given !== undefined && { connectionString: `${address}${rest}` }),
    ssl: false,
    fallback_application_name: "parley",
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const client = clientOf(driver, config, refuse);
  const { host, port, database = "", user = "" } = client;
  const description = `${host.includes(":") ? `[${host}]` : host}:${port}/${database}`;
  try {
    const tls = tlsAttempts({ sslmode, ...files }, host.startsWith("/"));
    return { pg: driver, config, tls, host, port, database, user, description };
  } catch (error) {
    throw new A2AError(
      "UNAVAILABLE",
      `cannot use the database ${description}: ${messageOf(error)}`,
    );
  }
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
