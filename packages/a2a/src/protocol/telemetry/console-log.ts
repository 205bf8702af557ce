import type { Log, LogFields } from "./log.js";
import { logRecord, textLine } from "./log-record.js";

/** Warnings and errors, for people, on the console. */
export const consoleLog: Log = (level, event, fields = {}) => {
  if (level === "debug" || level === "info") return;
  const record = logRecord({ time: Date.now(), level, event, fields, trace: undefined });
  console.error(textLine(record));
};

/** The same log, where every event has these fields as well. */
export function withFields(log: Log, common: LogFields): Log {
  return (level, event, fields) => log(level, event, { ...common, ...fields });
}
