import { A2AError } from "../../protocol/internal.js";
import { isTaskEvent } from "./live-entry.js";
import type { TaskReplica } from "./task-replica.js";
import type { Draft, Write } from "./write.js";

/** An append with this many events takes no further write. */
export const maxBatchEvents = 64;

/** Writes that share a commit, and the draft of each. */
export interface Batch {
  readonly writes: Write[];
  readonly drafts: Draft[];
}

/** Takes the next writes from the queue, builds them, and folds them in ahead of their commit. */
export function takeBatch(queue: Write[], replica: TaskReplica): Batch {
  const batch: Batch = { writes: [], drafts: [] };
  let events = 0;
  let areOutputs = true;
  while (events < maxBatchEvents) {
    const [write] = queue;
    if (write === undefined || (write.alone === true && !areOutputs)) break;
    if (write.isRefusable === true && batch.writes.length > 0) break;
    queue.shift();
    try {
      if ((write.epoch ?? replica.epoch) !== replica.epoch) throw fenced(replica);
      const draft = write.build(replica.nextState);
      if (draft === undefined) {
        write.resolve({ sequence: replica.sequence, epoch: replica.epoch });
      } else {
        replica.apply(draft.events);
        areOutputs &&= write.isOutput === true;
        batch.writes.push(write);
        batch.drafts.push(draft);
        events += draft.events.length;
      }
    } catch (error) {
      write.reject(error);
    }
    if (write.alone === true) break;
  }
  return batch;
}

/**
 * What writes that are not committed have done to the fold. "none": nothing. "adds": they have only added to artifacts,
 * which is the same before and after a message of another node. "changes": it has to be rebuilt.
 */
export function effectOf({ writes, drafts }: Batch): "none" | "adds" | "changes" {
  const events = drafts.flatMap((draft) => draft.events.filter(isTaskEvent));
  if (events.length === 0) return "none";
  const areOutputs = writes.every(({ isOutput }) => isOutput === true);
  return areOutputs && events.every(({ kind }) => kind === "artifact-updated") ? "adds" : "changes";
}

function fenced({ identity }: TaskReplica): A2AError {
  const message = `another node has claimed task ${identity.publicId}; this write came too late`;
  return new A2AError("CONCURRENT_MODIFICATION", message);
}
