import process from "node:process";
import { systemClock } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { jsonLine, logRecord, textLine } from "../../protocol/telemetry/internal.js";
import type { Log, LogLevel, TraceContext } from "../../protocol/internal.js";
import type { LogEventName, LogPaint, LogRecord } from "../../protocol/telemetry/internal.js";

/** What is written to the log, and how. */
export interface LogOptions {
  /** What is left out: everything below this level; `info` when absent. */
  readonly level?: LogLevel | "silent";
  /** Lines of JSON, or lines for people. Absent: for people on a terminal, else JSON. */
  readonly format?: "json" | "text";
  /** Writes a line; to the standard error stream when absent. Must not throw. */
  readonly write?: (line: string) => void;
}

interface LogParts extends LogOptions {
  readonly clock?: Clock;
  /** The trace of the code that runs. */
  readonly active?: (() => TraceContext | undefined) | undefined;
}

const levels = ["debug", "info", "warn", "error", "silent"] as const;

/** How often one event is written within a minute. */
const maxRepeats = 10;
const windowMs = 60_000;

/** How many different events are counted at a time. */
const maxCounted = 1000;

interface Repeats {
  written: number;
  folded: number;
}

/**
 * A log for operators: one line for an event, on the standard error stream. An event that is repeated more than ten times
 * in a minute is counted, and the count is written when the minute is over.
 *
 * @example
 * const server = await serve(agent, { telemetry: { log: createLog({ level: "warn", format: "json" }) } });
 */
export function createLog(options: LogParts = {}): Log {
  const { level: least = "info", clock = systemClock, active } = options;
  const { write = (line) => void process.stderr.write(`${line}\n`) } = options;
  const isTerminal = options.write === undefined && process.stderr.isTTY;
  const { format = isTerminal ? "text" : "json" } = options;
  const paint = isTerminal && process.env["NO_COLOR"] === undefined ? inColor : undefined;
  const put = (record: LogRecord): void =>
    write(format === "json" ? jsonLine(record) : textLine(record, paint));
  const repeats = new Map<string, Repeats>();
  let isTimed = false;
  const flush = (): void => {
    isTimed = false;
    for (const [key, { folded }] of repeats) {
      const [level, of, agent] = key.split(" ", 3) as [LogLevel, LogEventName, string?];
      if (folded === 0) continue;
      const fields = { of, count: folded, ...(agent && { agent }) };
      const msg = `${of} was repeated ${folded} more times within a minute`;
      const time = clock.now();
      put(
        logRecord({
          time,
          level,
          event: "log.folded",
          fields: { msg, ...fields },
          trace: undefined,
        }),
      );
    }
    repeats.clear();
  };
  /** Whether an event has been written often enough. */
  const isFolded = (key: string): boolean => {
    let count = repeats.get(key);
    if (count === undefined) {
      if (repeats.size >= maxCounted) return true;
      repeats.set(key, (count = { written: 0, folded: 0 }));
    }
    if (count.written >= maxRepeats) {
      count.folded += 1;
      return true;
    }
    count.written += 1;
    if (!isTimed) clock.after(windowMs, flush);
    isTimed = true;
    return false;
  };
  return (level, event, fields = {}) => {
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    // What every run and every start tells is no repetition.
    const isTold = level === "info" || level === "debug";
    if (!isTold && isFolded(`${level} ${event} ${fields.agent ?? ""}`)) return;
    const record = { time: clock.now(), level, event, fields, trace: active?.() };
    put(logRecord(record));
  };
}

const codes = { dim: 2, bold: 1, debug: 2, info: 36, warn: 33, error: 31 } as const;

const inColor: LogPaint = (style, text) => `\u001B[${codes[style]}m${text}\u001B[0m`;
