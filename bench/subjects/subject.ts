/**
 * Ports with nothing behind them; metrics; OpenTelemetry that samples nothing, or a tenth. `storage` is no telemetry at all:
 * the process has used node's AsyncLocalStorage once, as all tracing does.
 */
export type Telemetry = "off" | "metrics" | "unsampled" | "sampled" | "storage";

/** What a subject is opened with. */
export interface SubjectOptions {
  /** `memory`, a file, or the URL of a PostgreSQL database. */
  readonly store?: string;
  /** SQLite's journal, for a subject that does not choose it itself. */
  readonly journal?: "DELETE" | "WAL";
  /** The port is one for gRPC. */
  readonly grpc?: boolean;
  /** Settings of Parley's runtime. */
  readonly settings?: object;
  /** The server answers all requests of a turn of the event loop together. */
  readonly together?: boolean;
  /** What the server shows of itself; nothing when absent. */
  readonly telemetry?: Telemetry;
  /** An inspector stands beside the server, and records what passes it. Nobody looks. */
  readonly inspector?: boolean;
  /** The server that a client calls. */
  readonly url?: string;
}

export interface OpenedSubject {
  readonly port?: number;
  /** What the subject does when it is told to. */
  readonly calls?: Readonly<Record<string, (options: never) => unknown>>;
}

export type OpenSubject = (options: SubjectOptions) => Promise<OpenedSubject>;

/** Connections are idle while other subjects have their turns, so they must not time out. */
export const longerThanARun: number = 60 * 60 * 1000;
