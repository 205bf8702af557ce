import { Socket } from "node:net";
import type pg from "pg";
import { KeyedLock } from "../async/internal.js";
import { ConnectionLost } from "./database.js";
import type { Query, Session } from "./database.js";
import { codeOf, endsConnection, noTls, StandbyFound } from "./failure-reason.js";
import { parseNumbers } from "./parse-numbers.js";
import { PreparedNames } from "./prepared-names.js";
import type { Target } from "./target.js";

/** How each connection of a database is set up. */
export interface ConnectionOptions {
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly settings: Readonly<Record<string, string>>;
  /** `undefined`: where no pooler stands in between. Becomes `false` for all when the server does not know a name. */
  readonly preparing: { isOn: boolean | undefined };
}

/** One connection. It is opened once; when it is lost, another one takes its place. */
export interface Connection extends Session {
  readonly isOpen: boolean;
  /** Whether a pooler stands in between. */
  readonly isPooled: boolean;
  /** Calls back once, when the connection is lost or closed. */
  onEnd(callback: () => void): void;
  /** Is called for each notification of a channel that this connection listens to. */
  onNotification(callback: (channel: string, payload: string) => void): void;
  begin(): Promise<void>;
  /** Rejects when the server has rolled the transaction back. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

/**
 * A connection without an answer is given up after this many times the time after which the server gives up a statement. TCP
 * itself would wait for a quarter of an hour.
 */
const silenceFactor = 1.5;
const closingMs = 1000;

/**
 * Connects, with TLS where the target says so. Rejects with the error of the driver, and with `StandbyFound` when the server
 * takes no writes. The host name is looked up each time: after a failover it may mean another machine.
 */
export async function openConnection(
  target: Target,
  options: ConnectionOptions,
  timeoutMs = 10_000,
): Promise<Connection> {
  const [first = false, ...others] = target.tls;
  let opened = await connect(target, first, timeoutMs).catch((error: unknown) => error as Error);
  for (const tls of others) {
    if (!(opened instanceof Error) || !noTls().test(opened.message)) break;
    opened = await connect(target, tls, timeoutMs).catch((error: unknown) => error as Error);
  }
  if (opened instanceof Error) throw opened;
  const connection = new PgConnection(opened, options);
  try {
    await connection.setUp();
    return connection;
  } catch (error) {
    await connection.close();
    throw error instanceof ConnectionLost ? (error.cause ?? error) : error;
  }
}

interface Opened {
  readonly client: pg.Client;
  readonly socket: Socket;
}

async function connect(
  { pg: driver, config }: Target,
  tls: Target["tls"][number],
  timeoutMs: number,
): Promise<Opened> {
  const socket = new Socket();
  const client = new driver.Client({
    ...config,
    // The driver hides the key in the object, so that every client gets its own.
    ssl: tls && { ...tls },
    stream: () => socket,
    connectionTimeoutMillis: Math.max(1, timeoutMs),
    types: { getTypeParser: parseNumbers(driver) },
  });
  // Without a listener an error of an idle connection would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    return { client, socket };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

class PgConnection implements Connection {
  readonly #client: pg.Client;
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #names = new PreparedNames();
  /** The driver takes one statement at a time. */
  readonly #turn = new KeyedLock();
  readonly #endings: (() => void)[] = [];
  #isOpen = true;
  #isInTransaction = false;
  isPooled = false;

  constructor({ client, socket }: Opened, options: ConnectionOptions) {
    this.#client = client;
    this.#socket = socket;
    this.#options = options;
    const end = (): void => {
      if (!this.#isOpen) return;
      this.#isOpen = false;
      for (const callback of this.#endings.splice(0)) callback();
    };
    client.on("error", end);
    client.on("end", end);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Asks whether a pooler stands in between: it makes up the process id that a client gets at its start. Settings of a
   * session would then reach other clients, and are left out.
   */
  async setUp(): Promise<void> {
    const { processID } = this.#client as pg.Client & { readonly processID: number | null };
    const isDirect = `pg_backend_pid() = ${Number(processID)}`;
    const settings = this.#settings().map(
      ([name, value]) => `set_config(${quote(name)}, ${quote(value)}, false)`,
    );
    const [row] = await this.query<{ standby: boolean; direct: boolean }>({
      text: `SELECT pg_is_in_recovery() AS standby, ${isDirect} AS direct,
        CASE WHEN ${isDirect} THEN concat(${["''", ...settings].join(", ")}) END AS settings`,
    });
    if (row?.standby === true) throw new StandbyFound("the server is a standby");
    this.isPooled = row?.direct !== true;
  }

  async query<Row extends object>(query: Query): Promise<readonly Row[]> {
    return (await this.#run<Row>(query)).rows;
  }

  async begin(): Promise<void> {
    const local = this.#settings().map(([name, value]) => `; SET LOCAL ${name} = ${quote(value)}`);
    await this.#run({ text: `BEGIN${this.isPooled ? local.join("") : ""}` });
    this.#isInTransaction = true;
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false;
    // After a failed statement the server answers COMMIT with ROLLBACK, and no error.
    const { command } = await this.#run({ text: "COMMIT" });
    if (command === "ROLLBACK")
      throw new Error("the transaction was rolled back: a statement failed");
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false;
    if (!this.#isOpen) return;
    await this.#run({ text: "ROLLBACK" }).catch(() => this.#socket.destroy());
  }

  onEnd(callback: () => void): void {
    if (this.#isOpen) this.#endings.push(callback);
    else callback();
  }

  onNotification(callback: (channel: string, payload: string) => void): void {
    this.#client.on("notification", ({ channel, payload = "" }) => callback(channel, payload));
  }

  async close(): Promise<void> {
    // A server that is gone does not answer.
    const timer = setTimeout(() => this.#socket.destroy(), closingMs);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  #settings(): (readonly [string, string])[] {
    const { statementTimeoutMs, lockTimeoutMs, settings } = this.#options;
    return [
      ["statement_timeout", `${statementTimeoutMs}`],
      ["lock_timeout", `${lockTimeoutMs}`],
      ...Object.entries(settings),
    ];
  }

  async #run<Row extends object>(query: Query): Promise<pg.QueryResult<Row>> {
    return this.#turn.run("", async () => {
      const { name, ...unnamed } = query;
      if (name === undefined || !this.#prepares) return this.#send<Row>(unnamed);
      const prepared = this.#names.next(name);
      if (prepared.outdated !== undefined) {
        await this.#send({ text: `DEALLOCATE "${prepared.outdated}"` });
      }
      try {
        return await this.#send<Row>({ ...unnamed, name: prepared.name });
      } catch (error) {
        // A pooler gave this statement to a session that does not know the name, or knows it from another client.
        if (!["26000", "42P05"].includes(codeOf(error))) throw error;
        this.#options.preparing.isOn = false;
        if (this.#isInTransaction) throw error;
        return this.#send<Row>(unnamed);
      }
    });
  }

  get #prepares(): boolean {
    return this.#options.preparing.isOn ?? !this.isPooled;
  }

  async #send<Row extends object>({ text, values, name }: Query): Promise<pg.QueryResult<Row>> {
    if (!this.#isOpen) throw new ConnectionLost("the connection to the database was lost");
    const { statementTimeoutMs } = this.#options;
    const timer =
      statementTimeoutMs > 0 &&
      setTimeout(() => this.#socket.destroy(), silenceFactor * statementTimeoutMs);
    try {
      return await this.#client.query<Row>({
        text,
        ...(values && { values: [...values] }),
        ...(name !== undefined && { name }),
      });
    } catch (cause) {
      if (this.#isOpen && !endsConnection(cause)) throw cause;
      this.#socket.destroy();
      throw new ConnectionLost("the connection was lost while a statement was under way", {
        cause,
      });
    } finally {
      if (timer !== false) clearTimeout(timer);
    }
  }
}

function quote(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
