import { isTaskEvent } from "./live-entry.js";
import type { Draft, Write } from "./write.js";

/** Writes that share a commit, and the draft of each. */
export interface Batch {
  readonly writes: Write[];
  readonly drafts: Draft[];
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
