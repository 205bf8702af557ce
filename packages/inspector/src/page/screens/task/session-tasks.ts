import { effect, signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import type { Hop } from "../../../contract/index.js";
import { recordOfLog } from "../../../model/index.js";
import type { SessionLogs } from "../../../model/task/session-logs.js";
import { allHops, hopsVersion, loadHop } from "../../state/hops.js";
import type { KnownHop } from "../../state/hops.js";
import { connection } from "../../state/connection.js";

const version = signal(0);
let logs: SessionLogs | undefined;
let isStarted = false;
const asked = new Set<number>();

/** Counts up when a task of this session has changed. */
export const sessionVersion: ReadonlySignal<number> = version;

/** Follows the hops, and makes logs of the tasks that they are about. What it needs is loaded when it is first asked for. */
export function followSession(): void {
  if (isStarted) return;
  isStarted = true;
  void import("../../../model/task/session-logs.js").then(({ SessionLogs: Logs }) => {
    logs = new Logs();
    effect(() => {
      void hopsVersion.value;
      readHops();
    });
  });
}

export function sessionEntries(taskId: string): readonly LogEntry[] {
  return logs?.logs.get(taskId)?.entries ?? [];
}

/** The tasks of this session, newest first, as records: what a store would say of them. */
export function sessionTasks(): readonly TaskRecord[] {
  const { url = "", card } = connection.peek() ?? {};
  return Array.from(logs?.logs ?? [], ([taskId, { entries }]) =>
    recordOfLog(taskId, entries, card?.name ?? url),
  ).reverse();
}

const operations: ReadonlySet<string> = new Set([
  "sendMessage",
  "sendStreamingMessage",
  "subscribeToTask",
  "getTask",
  "cancelTask",
]);

function readHops(): void {
  let isChanged = false;
  for (const hop of allHops()) {
    if (!operations.has(hop.summary.operation ?? "")) continue;
    const whole = wholeOf(hop);
    if (whole !== undefined && logs !== undefined)
      isChanged = logs.add(whole).size > 0 || isChanged;
  }
  if (isChanged) version.value += 1;
}

function wholeOf({ summary, whole, frames }: KnownHop): Hop | undefined {
  if (whole !== undefined) return { ...whole, frames, timing: summary.timing };
  const isEnded = summary.timing.endedAt !== undefined;
  // The request is asked for once; what a hop without frames has answered, once it has ended.
  const turn = isEnded ? summary.id : -summary.id;
  if (!asked.has(turn)) {
    asked.add(turn);
    loadHop(summary.id).catch(() => undefined);
  }
  return undefined;
}
