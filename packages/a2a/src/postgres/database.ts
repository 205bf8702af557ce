/** One statement and its values. */
export interface Query {
  readonly text: string;
  readonly values?: readonly unknown[];
  /**
   * Prepares the statement under this name where the connection allows it. One name belongs to one text. Absent: it is
   * parsed each time.
   */
  readonly name?: string;
}

/** One connection, for as long as somebody works with it. */
export interface Session {
  /**
   * Resolves with the rows; `bigint` comes as number. Rejects with `ConnectionLost` when nobody knows whether the statement
   * was carried out. Another error of the server, with its SQLSTATE as `code`, says that it was not.
   */
  query<Row extends object>(query: Query): Promise<readonly Row[]>;
}

/**
 * What a connection is for. Leases have one of their own, so that no slow statement delays them; writers have few, so that
 * their batches grow under load.
 */
export type Lane = "write" | "read" | "lease";

/**
 * Connections to one PostgreSQL database. A connection that is lost is opened again, with growing pauses; whoever asks
 * meanwhile waits for it, up to `patienceMs`, and then gets `UNAVAILABLE`.
 */
export interface Database extends AsyncDisposable {
  /** Host, port and database, for people. No password. */
  readonly description: string;
  /** The schema that the URL names, else `parley`. */
  readonly schema: string;
  /** As whom this process is connected. */
  readonly user: string;
  /** How long whoever asks waits for a connection. */
  readonly patienceMs: number;
  /** Whether a pooler such as PgBouncer stands in between, so that a session's settings and LISTEN mean nothing. */
  readonly isPooled: boolean;
  /** Runs a statement that may be repeated: after a lost connection it is sent again until patience ends. */
  read<Row extends object>(query: Query): Promise<readonly Row[]>;
  /**
   * Gives `work` a connection of a lane. What `work` does is not repeated: it handles `ConnectionLost` itself, by asking for
   * another session.
   */
  withSession<Result>(lane: Lane, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** Runs `work` in a transaction, which is rolled back when `work` rejects. Not repeated after `ConnectionLost`. */
  transaction<Result>(lane: Lane, work: (session: Session) => Promise<Result>): Promise<Result>;
  /** How many connections there are, by what they do; `pending` are those who wait for one. */
  connections(): Readonly<Record<"used" | "idle" | "pending", number>>;
  /** Resolves when the server answers and takes writes. Rejects at once while it is known that it does not. */
  check(): Promise<void>;
  /** Lets what is under way finish, refuses what waits, and closes all connections. */
  close(): Promise<void>;
}

/** The connection was lost after a statement was sent: the statement may have been carried out or not. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
}
