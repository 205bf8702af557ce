import { TaskFold } from "../../protocol/internal.js";
import type { Artifact, Part } from "../../protocol/internal.js";
import { isTaskEvent } from "../log/live-entry.js";
import type { LiveTask } from "../log/live-task.js";
import type { StreamRecord } from "./journal.js";
import { statusKey } from "./retelling.js";

/** A task as of an entry of its log, and what was told after that. */
export interface PastTask {
  readonly artifacts: readonly Artifact[];
  /** The statuses that were told after the entry, see `statusKey`. */
  readonly toldAfter: readonly string[];
}

/** Folds the log of a task from its start up to an entry. */
export async function taskAt(live: LiveTask, sequence: number): Promise<PastTask> {
  const toldAfter: string[] = [];
  let fold: TaskFold | undefined;
  for await (const { event, sequence: at } of live.entriesAfter(0)) {
    if (!isTaskEvent(event)) continue;
    if (at > sequence) {
      if (event.kind === "status-changed") toldAfter.push(statusKey(event));
    } else if (fold !== undefined) fold.apply(event);
    else if (event.kind === "task-created") fold = new TaskFold(event);
  }
  return { artifacts: fold?.task().artifacts ?? [], toldAfter };
}

/** The text of a stream that had come to its end. */
export async function textOfStream(live: LiveTask, record: StreamRecord): Promise<string> {
  const { artifacts } = await taskAt(live, record.sequence);
  const artifact = artifacts.find(({ artifactId }) => artifactId === record.artifact);
  return (artifact?.parts.map(textOfPart).join("") ?? "").slice(record.from, record.to);
}

/** The text of a part; "" for other content. */
export function textOfPart(part: Part): string {
  return part.text ?? "";
}
