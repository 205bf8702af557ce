import type { LogEntry, LogEvent } from "../../../src/store/index.js";
import { TaskFold } from "../../../src/protocol/internal.js";
import type { Part, Task, TaskEvent } from "../../../src/protocol/internal.js";

/** What a run has recorded under a key, and where in the log. */
export interface Recorded {
  readonly sequence: number;
  readonly value: unknown;
  /** The artifact that a stream went into. */
  readonly artifact?: string;
}

/** The records of a log by kind, name and number: `step:search:2`, `question::1`, `stream:draft:1`. */
export function recordsOf(log: readonly LogEntry[]): Map<string, Recorded> {
  const records = new Map<string, Recorded>();
  for (const { sequence, event } of log) {
    const record = recordOf(event, log.slice(0, sequence));
    if (record === undefined) continue;
    const { key, ...its } = record;
    if (records.has(key)) throw new Error(`${key} is recorded twice, again at ${sequence}`);
    records.set(key, { sequence, ...its });
  }
  return records;
}

function recordOf(
  event: LogEvent,
  log: readonly LogEntry[],
): (Omit<Recorded, "sequence"> & { readonly key: string }) | undefined {
  const { kind } = event;
  if (kind === "step-recorded") {
    return { key: `step:${event.name}:${event.nth}`, value: event.result };
  }
  if (kind === "question-asked") {
    return { key: `question:${event.name ?? ""}:${event.nth}`, value: undefined };
  }
  if (kind !== "stream-recorded") return undefined;
  const { name, nth, artifact, from, to } = event;
  if (artifact === undefined) return { key: `stream:${name}:${nth}`, value: "" };
  const whole = textsOf(foldOf(log)).get(artifact) ?? "";
  return { key: `stream:${name}:${nth}`, value: whole.slice(from, to), artifact };
}

/** The task that a log, or the beginning of one, makes. */
export function foldOf(log: readonly LogEntry[]): Task | undefined {
  const [first, ...rest] = log;
  if (first?.event.kind !== "task-created") return undefined;
  const fold = new TaskFold(first.event);
  for (const { event } of rest) if (isTaskEvent(event)) fold.apply(event);
  return fold.task();
}

function isTaskEvent(event: LogEvent): event is TaskEvent {
  return ["message-added", "status-changed", "artifact-updated"].includes(event.kind);
}

export function textIn(parts: readonly Part[] = []): string {
  return parts.map(({ text }) => text ?? "").join("");
}

/** The texts of the artifacts of a task, by their ids. */
export function textsOf(task: Task | undefined): Map<string, string> {
  const artifacts = task?.artifacts ?? [];
  return new Map(artifacts.map(({ artifactId, parts }) => [artifactId, textIn(parts)]));
}
