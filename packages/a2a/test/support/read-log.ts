/** A line of the log of a server. */
export interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** The log that a server has written to its standard error stream: a line of JSON for each event. */
export function readLog(stderr: string): readonly LogLine[] {
  return stderr
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as LogLine);
}

/** The names of the events, in their order. */
export function eventsIn(stderr: string): readonly string[] {
  return readLog(stderr).map(({ event }) => event);
}

/** What a server logs that starts and stops, and in between has nothing to tell. */
export const quietLife: readonly string[] = [
  "server.started",
  "drain.phase",
  "drain.phase",
  "server.stopped",
];
