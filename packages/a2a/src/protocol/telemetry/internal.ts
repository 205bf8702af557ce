/** Metrics and logs: the names of both, what is written of an event, and services that count. The client loads this only if it counts. */
export { consoleLog, withFields } from "./console-log.js";
export { instruments } from "./instruments.js";
export { logEvents } from "./log-events.js";
export type { LogEventName } from "./log-events.js";
export { jsonLine, logRecord, textLine } from "./log-record.js";
export type { LogRecord, Paint as LogPaint } from "./log-record.js";
export { isReported, markReported } from "./reported.js";
export { countRefusal, isCounted, measured } from "./measured.js";
