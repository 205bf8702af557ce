import { atLeast, callback, flag, rule, secret, text, timerMs } from "../options/internal.js";
import type { Rule, Rules } from "../options/internal.js";

/** Where the database is, and how many connections this process opens to it. */
export interface DatabaseOptions {
  /**
   * `postgres://user:password@host:5432/database`. Of several hosts, separated by commas, the one that takes writes is used.
   * Default: `DATABASE_URL`, then the `PG*` variables, as psql takes them.
   */
  readonly url?: string;
  /** How long a statement waits for a database that cannot be reached. Default: 120 seconds, longer than most failovers. */
  readonly patienceMs?: number;
  /** Connections for writes. Default: 2. */
  readonly writers?: number;
  /** Connections for reads. Default: 4. */
  readonly readers?: number;
  /**
   * Whether statements are prepared. Default: where no pooler stands in between. `true` prepares through a pooler, too, which
   * has to know prepared statements, as PgBouncer does from 1.21 on.
   */
  readonly prepare?: boolean;
  /** When the server gives up a statement. Default: 10 seconds; 0: never. */
  readonly statementTimeoutMs?: number;
  /** When the server gives up waiting for a lock. Default: 5 seconds; 0: never. */
  readonly lockTimeoutMs?: number;
  /** Settings of the session, such as `synchronous_commit`. Through a pooler they hold in transactions only. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Is told once when the database cannot be reached, and once when it can again. Default: prints it. */
  readonly report?: (notice: Error) => void;
}

export const databaseRules: Rules<DatabaseOptions> = {
  // It holds a password, so no message shows it.
  url: secret((value) =>
    typeof value === "string" && value !== ""
      ? undefined
      : "a URL such as postgres://user:password@host:5432/database",
  ),
  patienceMs: timerMs(0),
  writers: atLeast(1),
  readers: atLeast(1),
  prepare: flag,
  statementTimeoutMs: timerMs(0),
  lockTimeoutMs: timerMs(0),
  settings: rule((value) =>
    typeof value === "object" && value !== null ? undefined : "an object of names and values",
  ),
  report: callback,
};

/** The name of a schema. */
export const schemaRule: Rule = text('the name of a schema, such as "parley"');
