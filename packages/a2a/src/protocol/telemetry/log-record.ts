import type { LogFields, LogLevel } from "./log.js";
import type { TraceContext } from "../call-context.js";
import { logEvents } from "./log-events.js";
import type { LogEventName } from "./log-events.js";
import { withoutSecrets } from "./without-secrets.js";

/** What is left of an error in the log. */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** Where it was thrown, and what caused it. */
  readonly stack?: string;
}

/** An event as it is written: without secrets, and with nothing but plain values. */
export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  readonly event: LogEventName;
  readonly msg: string;
  readonly fields: readonly (readonly [name: string, value: string | number | boolean])[];
  readonly err?: LoggedError;
}

export interface LogSource {
  readonly time: number;
  readonly level: LogLevel;
  readonly event: LogEventName;
  readonly fields: LogFields;
  /** The trace of the code that runs. */
  readonly trace: TraceContext | undefined;
}

/** What is written of an event. */
export function logRecord({ time, level, event, fields, trace: active }: LogSource): LogRecord {
  const { msg = logEvents[event], err, trace = active, ...rest } = fields;
  const plain: [string, string | number | boolean][] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (typeof value === "string") plain.push([name, oneLine(value)]);
    else if (typeof value === "number" || typeof value === "boolean") plain.push([name, value]);
  }
  const [, traceId, spanId] =
    /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-/u.exec(trace?.traceparent ?? "") ?? [];
  if (traceId !== undefined && spanId !== undefined) {
    plain.push(["trace_id", traceId], ["span_id", spanId]);
  }
  const record = { time, level, event, msg: oneLine(msg), fields: plain };
  return err === undefined ? record : { ...record, err: loggedError(err) };
}

function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: oneLine(String(error)) };
  const type = oneLine(error.name);
  const message = oneLine(error.message);
  const stack = stackOf(error, 0);
  return stack === "" ? { type, message } : { type, message, stack };
}

/** How many errors behind an error are told. */
const maxCauses = 4;

function stackOf(error: Error, depth: number): string {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line));
  const own = withoutSecrets(frames.slice(0, 12).join("\n"));
  const { cause } = error;
  if (!(cause instanceof Error) || depth >= maxCauses) return own;
  const head = `caused by ${oneLine(cause.name)}: ${oneLine(cause.message)}`;
  return [own, head, stackOf(cause, depth + 1)].filter((part) => part !== "").join("\n");
}

function oneLine(text: string): string {
  return withoutSecrets(text).replaceAll(/\s*[\n\t]\s*/gu, " ");
}

/** One line of JSON, for programs. */
export function jsonLine({ time, level, event, msg, fields, err }: LogRecord): string {
  const members = { time: new Date(time).toISOString(), level, event, msg };
  return JSON.stringify({ ...members, ...Object.fromEntries(fields), ...(err && { err }) });
}

export type Paint = (style: "dim" | "bold" | LogLevel, text: string) => string;
const plainly: Paint = (_, text) => text;

/** Fields that are ids: of use to those who search, and in the way of those who read. */
const ids: ReadonlySet<string> = new Set(["node", "contextId", "trace_id", "span_id", "requestId"]);

/** One line for people, and the stack of an error below it. */
export function textLine(record: LogRecord, paint: Paint = plainly): string {
  const { time, level, event, msg, fields, err } = record;
  const clock = paint("dim", new Date(time).toISOString().slice(11, 23));
  const told = fields.map(([name, value]) => {
    const pair = `${name}=${typeof value === "string" && /[\s"=]/u.test(value) ? JSON.stringify(value) : value}`;
    return ids.has(name) ? paint("dim", pair) : pair;
  });
  const reason = err === undefined ? [] : [`${err.type}: ${err.message}`];
  const head = [
    clock,
    paint(level, level.toUpperCase().padEnd(5)),
    paint("bold", event.padEnd(16)),
    [msg, ...reason].join(": "),
    ...told,
  ].join(" ");
  const stack = err?.stack?.split("\n").map((line) => paint("dim", `    ${line.trim()}`)) ?? [];
  return [head, ...stack].join("\n");
}
