import { effect, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import type { LogPage, Problem } from "../../../contract/index.js";
import { Axis, LogIndex } from "../../../model/index.js";
import { api, onFeed, problemOf } from "../../api/index.js";
import { capabilities } from "../../state/capabilities.js";
import { recordedEntries, recording } from "../../state/recording.js";
import { followSession, sessionEntries, sessionVersion } from "./session-tasks.js";

/** The log of a task as it is read and grows. */
export interface OpenLog {
  readonly taskId: string;
  readonly index: LogIndex;
  readonly axis: Axis;
  /** Counts up when entries have come, once a frame at most. */
  readonly version: Signal<number>;
  readonly status: Signal<"loading" | "ready" | "problem">;
  readonly problem: Signal<Problem | undefined>;
  readonly record: Signal<TaskRecord | undefined>;
  readonly retry: () => void;
  readonly close: () => void;
}

const pageSize = 2000;

/** Opens the log of a task: of a store, of an opened recording, or of what this session has heard of it. */
export function openLog(taskId: string): OpenLog {
  const index = new LogIndex();
  const log = {
    taskId,
    index,
    axis: new Axis(index),
    isTelling: false,
    version: signal(0),
    status: signal<"loading" | "ready" | "problem">("loading"),
    problem: signal<Problem | undefined>(undefined),
    record: signal<TaskRecord | undefined>(undefined),
  };
  const stop = new AbortController();
  const read = (): void => {
    log.status.value = "loading";
    log.problem.value = undefined;
    if (recording.peek() !== undefined) readRecorded(log);
    else if (capabilities.peek()?.canRead === true) void followStore(log, stop.signal);
    else followEvents(log, stop.signal);
  };
  read();
  return { ...log, retry: read, close: () => stop.abort() };
}

type Reading = Omit<OpenLog, "retry" | "close"> & {
  /** The next frame tells of what has come. */
  isTelling: boolean;
};

function take(log: Reading, entries: readonly LogEntry[]): void {
  if (entries.length === 0) return;
  log.index.append(entries);
  log.axis.sync();
  if (log.isTelling) return;
  log.isTelling = true;
  requestAnimationFrame(() => {
    log.isTelling = false;
    log.version.value += 1;
  });
}

function readRecorded(log: Reading): void {
  const { tasks, logs } = recording.peek() ?? { tasks: [], logs: new Map() };
  log.record.value = tasks.find(({ taskId }) => taskId === log.taskId);
  if (logs.has(log.taskId)) {
    take(log, recordedEntries(log.taskId));
    log.status.value = "ready";
    return;
  }
  followEvents(log, new AbortController().signal);
}

/** Reads page after page, and then what the feed says has come. */
async function followStore(log: Reading, stop: AbortSignal): Promise<void> {
  let known = Infinity;
  let isReading = false;
  const readOn = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      while (!stop.aborted && (log.index.entries.at(-1)?.sequence ?? 0) < known) {
        const after = log.index.entries.at(-1)?.sequence ?? 0;
        const path = `tasks/${encodeURIComponent(log.taskId)}/log?after=${after}&limit=${pageSize}`;
        const page = await api.get<LogPage>(path, { signal: stop });
        log.record.value = page.record;
        take(log, page.entries);
        if (page.hasMore) continue;
        if (known <= page.record.sequence || page.entries.length === 0)
          known = page.record.sequence;
        log.status.value = "ready";
        if (!Number.isFinite(known)) known = page.record.sequence;
      }
    } catch (error) {
      if (stop.aborted) return;
      log.problem.value = problemOf(error);
      if (log.index.length === 0) log.status.value = "problem";
    } finally {
      isReading = false;
    }
  };
  const off = onFeed((items) => {
    for (const item of items) {
      if (item.kind === "task" && item.taskId === log.taskId)
        known = Math.max(finite(known), item.sequence);
      else if (item.kind === "gap") known = Infinity;
    }
    if ((log.index.entries.at(-1)?.sequence ?? 0) < known) void readOn();
  });
  stop.addEventListener("abort", off);
  await readOn();
}

function finite(sequence: number): number {
  return Number.isFinite(sequence) ? sequence : 0;
}

/** An agent elsewhere has no log that could be read: the log is what its streams have brought. */
function followEvents(log: Reading, stop: AbortSignal): void {
  followSession();
  const off = effect(() => {
    void sessionVersion.value;
    const entries = sessionEntries(log.taskId);
    take(log, entries.slice(log.index.length));
    if (entries.length > 0) log.status.value = "ready";
  });
  stop.addEventListener("abort", off);
  // Streams of this session may be read a moment later; a task of another session never is.
  setTimeout(() => {
    if (log.index.length > 0 || stop.aborted) return;
    log.status.value = "problem";
    log.problem.value = {
      code: "TASK_NOT_FOUND",
      message: "this session has heard nothing of this task",
      hint: "An agent at a URL tells the events of a task only on its streams. Watch the task from the chat, or open the inspector beside the agent's store.",
    };
  }, 1500);
}
