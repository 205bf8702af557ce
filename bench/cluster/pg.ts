import { createRequire } from "node:module";

/** A statement for PostgreSQL's driver. With a name it is prepared. */
export interface RawQuery {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

export type RawRow = Readonly<Record<string, unknown>>;

interface Queryable {
  query(query: RawQuery): Promise<{ readonly rows: readonly RawRow[] }>;
  end(): Promise<void>;
}

interface RawClient extends Queryable {
  connect(): Promise<void>;
}

interface Driver {
  readonly Client: {
    new (options: { connectionString: string }): RawClient;
    readonly prototype: RawClient;
  };
  readonly Pool: new (options: { connectionString: string }) => Queryable;
}

/** The driver that the store uses, so that what is counted here counts for the store. */
const require = createRequire(import.meta.resolve("@parley/a2a/store/postgres"));
const { Client, Pool } = require("pg") as Driver;

let sent = 0;
const { prototype } = Client;
prototype.query = new Proxy(Reflect.get(prototype, "query"), {
  apply(query, client: RawClient, given) {
    sent += 1;
    return Reflect.apply(query, client, given);
  },
});

/** How many statements this process has sent, over all its connections. Each is one round trip. */
export function statementsSent(): number {
  return sent;
}

export interface Raw extends AsyncDisposable {
  query(query: RawQuery | string): Promise<readonly RawRow[]>;
}

/** One plain connection. */
export async function connectRaw(url: string): Promise<Raw> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return over(client);
}

/** As many connections as the driver's pool opens by default. */
export function openRawPool(url: string): Raw {
  return over(new Pool({ connectionString: url }));
}

function over(connection: Queryable): Raw {
  return {
    async query(query) {
      return (await connection.query(typeof query === "string" ? { text: query } : query)).rows;
    },
    [Symbol.asyncDispose]: () => connection.end(),
  };
}
