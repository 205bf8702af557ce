import { nextTurn } from "../../async/internal.js";
import type { Clock } from "../../async/internal.js";
import { A2AError, TaskFold } from "../../protocol/internal.js";
import type { LogEvent, StoredTask, TaskContent, TaskStore } from "../../store/internal.js";
import { isTaskEvent } from "./live-entry.js";
import { TaskGone } from "./task-gone.js";

/** A read of more bytes than this is a large one. It is done in pieces of this size, one in each turn of the event loop. */
export const largeBytes: number = 256 * 1024;
/** The same in entries, each of which may be small. */
const pageEntries = 2000;

/** Whether a store has cut the tail of a task. */
export function isCut({ record, checkpoint, tail }: StoredTask): boolean {
  return (checkpoint?.sequence ?? 0) + tail.length < record.sequence;
}

/**
 * The fold of a stored task. Reads what the store has cut off page by page, and lets the event loop serve everyone
 * else in between. Artifacts that are not wanted are left out.
 */
export async function foldStored(
  { store, clock }: { readonly store: Pick<TaskStore, "read">; readonly clock: Clock },
  { record, checkpoint, tail }: StoredTask,
  omits: readonly TaskContent[] = [],
): Promise<TaskFold> {
  let fold = checkpoint && new TaskFold(checkpoint.task);
  let sequence = checkpoint?.sequence ?? 0;
  const hasArtifacts = !omits.includes("artifacts");
  const apply = (event: LogEvent): void => {
    if (!isTaskEvent(event)) return;
    if (fold === undefined) fold = event.kind === "task-created" ? new TaskFold(event) : undefined;
    else if (hasArtifacts || event.kind !== "artifact-updated") fold.apply(event);
  };
  for (let entries = tail; ;) {
    for (const { event } of entries) apply(event);
    sequence += entries.length;
    if (sequence >= record.sequence) break;
    const limit = Math.min(pageEntries, record.sequence - sequence);
    entries = await store.read(record.taskId, sequence, limit, largeBytes);
    if (entries.length === 0) throw new TaskGone(record.taskId);
    await nextTurn(clock);
  }
  if (fold === undefined) throw new A2AError("INTERNAL", `the log of ${record.taskId} is empty`);
  return fold;
}
