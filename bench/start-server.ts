/** A server that benchmarks start, and that ends with them. */
export interface Server extends AsyncDisposable {
  readonly url: string;
}

export interface PostgresServer extends Server {
  /** Makes an empty database and resolves with its URL. */
  createDatabase(): Promise<string>;
}

/** What tests start servers with. `bench/servers` compiles it into the folder beside this file. */
interface Starters {
  readonly startPostgres: () => Promise<PostgresServer>;
  readonly startNats: () => Promise<Server>;
}

/** Starts PostgreSQL, as tests do. */
export async function startPostgres(): Promise<PostgresServer> {
  return (await load("start-postgres")).startPostgres();
}

/** Starts NATS, as tests do. Rejects if `nats-server` is not installed. */
export async function startNats(): Promise<Server> {
  return (await load("start-nats")).startNats();
}

async function load(name: string): Promise<Starters> {
  const url = new URL(`test/support/postgres/${name}.js`, import.meta.url);
  return (await import(url.href)) as Starters;
}
