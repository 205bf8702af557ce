import { Socket } from "node:net";
import type pg from "pg";
import { KeyedLock } from "../async/internal.js";
import { ConnectionLost } from "./database.js";
import type { Query, Session } from "./database.js";
import { codeOf, endsConnection, mayEndServer, noTls, StandbyFound } from "./failure-reason.js";
import { parseNumbers } from "./parse-numbers.js";
import { PreparedNames } from "./prepared-names.js";
import type { Place, Target } from "./target.js";

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
 * Connects to the first server that takes writes, with TLS where the target says so. Rejects with the error of the driver, and with
 * `StandbyFound` when the server takes none. Host names are looked up each time: after a failover they may mean other machines.
 */
export async function openConnection(
  target: Target,
  options: ConnectionOptions,
  timeoutMs = 10_000,
  signal?: AbortSignal,
): Promise<Connection> {
  let failure: unknown;
  for (const place of target.places) {
    for (const tls of place.tls) {
      try {
        const { config } = place;
        const share = timeoutMs / target.places.length;
        return await connect(target.pg, options, { config, tls, timeoutMs: share, signal });
      } catch (error) {
        failure = error;
        if (!(error instanceof Error) || !noTls().test(error.message)) break;
      }
    }
  }
  throw failure;
}

interface Attempt {
  readonly config: pg.ClientConfig;
  readonly tls: Place["tls"][number];
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function connect(
  driver: typeof pg,
  options: ConnectionOptions,
  { config, tls, timeoutMs, signal }: Attempt,
): Promise<Connection> {
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
  const giveUp = (): void => void socket.destroy();
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    await client.connect();
    const connection = new PgConnection(client, socket, options);
    await connection.setUp();
    return connection;
  } catch (error) {
    socket.destroy();
    throw error instanceof ConnectionLost ? (error.cause ?? error) : error;
  } finally {
    signal?.removeEventListener("abort", giveUp);
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

  constructor(client: pg.Client, socket: Socket, options: ConnectionOptions) {
    this.#client = client;
    this.#socket = socket;
    this.#options = options;
    client.on("error", () => this.#drop());
    client.on("end", () => this.#drop());
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
    await this.#run({ text: "ROLLBACK" }).catch(() => this.#drop());
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

  /**
   * Whether the server goes on after an error, and has thus undone the statement. It may end after a failure of the system, such
   * as one to write a commit to the disk, and find the commit there when it starts again.
   */
  async #survives(cause: unknown): Promise<boolean> {
    if (!this.#isOpen || endsConnection(cause)) return false;
    if (!mayEndServer(cause)) return true;
    try {
      await this.#client.query("SELECT 1");
      return true;
    } catch (error) {
      // In a failed transaction the server answers with an error, but it answers.
      return codeOf(error) === "25P02";
    }
  }

  /** From here on nobody sends anything; the driver hears of it later. */
  #drop(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.destroy();
    for (const callback of this.#endings.splice(0)) callback();
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
      statementTimeoutMs > 0 && setTimeout(() => this.#drop(), silenceFactor * statementTimeoutMs);
    try {
      return await this.#client.query<Row>({
        text,
        ...(values && { values: [...values] }),
        ...(name !== undefined && { name }),
      });
    } catch (cause) {
      if (await this.#survives(cause)) throw cause;
      this.#drop();
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
