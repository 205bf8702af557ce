import type { TraceContext } from "../call-context.js";
import type { LogEventName } from "./log-events.js";

/** How much an event matters to an operator. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** What goes along with an event: ids and numbers, never content and never secrets. */
export interface LogFields {
  /** What happened, for people. Absent: what the name of the event stands for. */
  readonly msg?: string;
  readonly agent?: string;
  readonly node?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly requestId?: string;
  readonly code?: string;
  /** What a caller was told in place of an error. */
  readonly reference?: string;
  /** The trace that the event belongs to; absent: that of the code that runs. */
  readonly trace?: TraceContext;
  readonly err?: unknown;
  readonly [field: string]: unknown;
}

/** Writes an event to the operator's log. Names of events are stable: `lease.lost`, `push.buried`. */
export type Log = (level: LogLevel, event: LogEventName, fields?: LogFields) => void;
