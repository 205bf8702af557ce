import { isTerminal } from "../../protocol/internal.js";
import type { TaskEvent } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { hashShown, TaskDigester } from "./digest.js";
import type { FinalTask } from "./history.js";

/** What the invariants look up in a task's log, made in one pass over it. */
export interface TaskTrace {
  readonly task: FinalTask;
  /** The hash of what streams show of each entry, by sequence. */
  readonly shown: ReadonlyMap<number, string>;
  /** The sequence of the entry that is shown before each shown one; 0 before the first. */
  readonly shownBefore: ReadonlyMap<number, number>;
  /** The last entry that streams show; 0: none. */
  readonly lastShown: number;
  /** Where each message joined the history. */
  readonly messages: ReadonlyMap<string, readonly number[]>;
  /** The digest of the task as of each entry, by sequence; [0] is that of nothing. */
  readonly digests: readonly string[];
  /** The first entry as of which the task has a digest. */
  readonly earliest: ReadonlyMap<string, number>;
  /** The last entry as of which the task has a digest. */
  readonly latest: ReadonlyMap<string, number>;
  /** The first entry that ends the task. */
  readonly endedAt?: number;
  /** The first entry by which a caller cancels the task. */
  readonly canceledAt?: number;
}

/** Reads a log once. Entries out of place count by their position; the invariant of the log complains about them. */
export function traceTask(task: FinalTask): TaskTrace {
  const { taskId } = task.record;
  const digester = new TaskDigester();
  const shown = new Map<number, string>();
  const shownBefore = new Map<number, number>();
  const messages = new Map<string, number[]>();
  const digests = [""];
  const earliest = new Map<string, number>();
  const latest = new Map<string, number>();
  let lastShown = 0;
  let endedAt: number | undefined;
  let canceledAt: number | undefined;
  task.log.forEach(({ event }, index) => {
    const sequence = index + 1;
    if (event.kind === "cancel-requested") canceledAt ??= sequence;
    if (isTaskEvent(event)) {
      digester.apply(event);
      const hash = hashShown(event, taskId);
      if (hash !== undefined) {
        shown.set(sequence, hash);
        shownBefore.set(sequence, lastShown);
        lastShown = sequence;
      }
      if (event.kind === "message-added") {
        const { messageId } = event.message;
        messages.set(messageId, [...(messages.get(messageId) ?? []), sequence]);
      }
      if (event.kind === "status-changed") {
        if (isTerminal(event.status.state)) endedAt ??= sequence;
        if (event.status.state === "TASK_STATE_CANCELED") canceledAt ??= sequence;
      }
    }
    const digest = digester.digest();
    digests.push(digest);
    if (!earliest.has(digest)) earliest.set(digest, sequence);
    latest.set(digest, sequence);
  });
  return {
    task,
    shown,
    shownBefore,
    lastShown,
    messages,
    digests,
    earliest,
    latest,
    ...(endedAt !== undefined && { endedAt }),
    ...(canceledAt !== undefined && { canceledAt }),
  };
}

function isTaskEvent(event: LogEvent): event is Extract<LogEvent, TaskEvent> {
  const { kind } = event;
  return (
    kind === "task-created" ||
    kind === "message-added" ||
    kind === "status-changed" ||
    kind === "artifact-updated"
  );
}
