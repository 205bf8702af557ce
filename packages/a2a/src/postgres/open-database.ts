import { delay, foregroundClock } from "../async/internal.js";
import { checkOptions, fields } from "../options/internal.js";
import { A2AError } from "../protocol/internal.js";
import { consoleLog } from "../protocol/telemetry/internal.js";
import { openConnection } from "./connection.js";
import type { Connection, ConnectionOptions } from "./connection.js";
import { ConnectionLost } from "./database.js";
import type { Database, Lane, Query, Session } from "./database.js";
import { databaseRules } from "./database-options.js";
import type { DatabaseOptions } from "./database-options.js";
import { codeOf, failureLine } from "./failure-reason.js";
import { LaneConnections } from "./lane-connections.js";
import type { ConnectionFigures, Slot } from "./lane-connections.js";
import { loadPg } from "./load-pg.js";
import { Outage } from "./outage.js";
import { parseTarget } from "./target.js";
import type { Target } from "./target.js";

const optionsRule = fields(databaseRules);

const firstPauseMs = 50;
const maxPauseMs = 5000;

/** How long a server may say that it starts up before this process gives up to start. */
const startUpMs = 10_000;

const minConnectMs = 1000;
const maxConnectMs = 10_000;

/** A check that takes longer says as much as one that fails. */
const checkMs = 5000;

/**
 * Opens connections to a PostgreSQL database. Rejects with one line that says what to do when the first connection fails: only a
 * database that was there once is waited for.
 */
export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  checkOptions("openDatabase()", options, optionsRule);
  const target = parseTarget(await loadPg(), options.url);
  const connection: ConnectionOptions = {
    statementTimeoutMs: options.statementTimeoutMs ?? 10_000,
    lockTimeoutMs: options.lockTimeoutMs ?? 5000,
    settings: options.settings ?? {},
    preparing: { isOn: options.prepare },
  };
  const first = await openFirst(target, connection);
  return new OpenDatabase({ target, connection, first, options });
}

async function openFirst(target: Target, options: ConnectionOptions): Promise<Connection> {
  const deadline = performance.now() + startUpMs;
  for (;;) {
    try {
      return await openConnection(target, options);
    } catch (cause) {
      const isStarting = codeOf(cause) === "57P03" && performance.now() < deadline;
      if (!isStarting) throw new A2AError("UNAVAILABLE", failureLine(target, cause), { cause });
      await delay(foregroundClock, firstPauseMs);
    }
  }
}

interface Opened {
  readonly target: Target;
  readonly connection: ConnectionOptions;
  readonly first: Connection;
  readonly options: DatabaseOptions;
}

class OpenDatabase implements Database {
  readonly description: string;
  readonly schema: string;
  readonly user: string;
  readonly patienceMs: number;
  readonly isPooled: boolean;
  readonly #target: Target;
  readonly #options: ConnectionOptions;
  readonly #lanes: Readonly<Record<Lane, LaneConnections>>;
  readonly #outage: Outage;
  readonly #closing = new AbortController();

  constructor({ target, connection, first, options }: Opened) {
    const { patienceMs = 120_000, writers = 2, readers = 4 } = options;
    const { report = tellConsole } = options;
    this.description = target.description;
    this.schema = target.schema;
    this.user = target.user;
    this.isPooled = first.isPooled;
    this.#target = target;
    this.#options = connection;
    this.patienceMs = patienceMs;
    this.#outage = new Outage({ target, patienceMs, report });
    this.#lanes = {
      write: new LaneConnections(writers),
      read: new LaneConnections(readers, first),
      lease: new LaneConnections(1),
    };
  }

  async read<Row extends object>(query: Query): Promise<readonly Row[]> {
    return this.#read(query, this.patienceMs);
  }

  async withSession<Result>(
    lane: Lane,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    return this.#withSession(lane, this.patienceMs, work);
  }

  async transaction<Result>(
    lane: Lane,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const deadline = performance.now() + this.patienceMs;
    return this.#lanes[lane].use(async (slot) => {
      const connection = await this.#begin(slot, deadline);
      let result: Result;
      try {
        result = await work(connection);
      } catch (error) {
        await connection.rollback();
        throw error;
      }
      await connection.commit();
      return result;
    });
  }

  connections(): ConnectionFigures {
    const all = Object.values(this.#lanes).map(({ figures }) => figures);
    const sum = (state: keyof ConnectionFigures): number =>
      all.reduce((total, figures) => total + figures[state], 0);
    return { used: sum("used"), idle: sum("idle"), pending: sum("pending") };
  }

  async check(): Promise<void> {
    const { fault } = this.#outage;
    if (fault) throw fault;
    await this.#read({ text: "SELECT 1" }, checkMs);
  }

  async close(): Promise<void> {
    const error = new A2AError("UNAVAILABLE", "the connections to the database are closed");
    if (!this.#closing.signal.aborted) this.#closing.abort(error);
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close(error)));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #read<Row extends object>(query: Query, patienceMs: number): Promise<readonly Row[]> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const left = deadline - performance.now();
      try {
        return await this.#withSession("read", left, (session) => session.query<Row>(query));
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        if (performance.now() >= deadline) throw this.#outage.failed(error.cause);
      }
    }
  }

  async #withSession<Result>(
    lane: Lane,
    patienceMs: number,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const deadline = performance.now() + patienceMs;
    return this.#lanes[lane].use(async (slot) => {
      await this.#connect(slot, deadline);
      let used: Connection | undefined;
      return work({
        // A connection that is lost before its first statement takes nothing with it.
        query: async (query) => (used ??= await this.#connect(slot, deadline)).query(query),
      });
    });
  }

  /** Nothing is lost with a connection that is lost at BEGIN. */
  async #begin(slot: Slot, deadline: number): Promise<Connection> {
    for (;;) {
      const connection = await this.#connect(slot, deadline);
      try {
        await connection.begin();
        return connection;
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
        if (performance.now() >= deadline) throw this.#outage.failed(error.cause);
      }
    }
  }

  async #connect(slot: Slot, deadline: number): Promise<Connection> {
    const { signal } = this.#closing;
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      if (slot.connection?.isOpen === true) return slot.connection;
      const left = deadline - performance.now();
      const known = this.#outage.fault;
      if (known && left <= 0) throw known;
      try {
        const timeoutMs = Math.min(maxConnectMs, Math.max(left, minConnectMs));
        slot.connection = await openConnection(this.#target, this.#options, timeoutMs, signal);
        this.#outage.end();
      } catch (cause) {
        const fault = this.#outage.failed(cause);
        const rest = deadline - performance.now();
        if (rest <= 0) throw fault;
        await this.#outage.pause(Math.min(pauseAfter(attempt), rest), signal);
      }
    }
  }
}

/** Doubles from attempt to attempt, with half of it left to chance, so that nodes do not come back all at once. */
function pauseAfter(attempt: number): number {
  return Math.min(firstPauseMs * 2 ** attempt, maxPauseMs) * (0.5 + Math.random() / 2);
}

function tellConsole({ message: msg }: Error): void {
  consoleLog("warn", "store.notice", { msg });
}
