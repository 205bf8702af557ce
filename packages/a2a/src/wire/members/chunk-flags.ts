import { isTerminal } from "../../protocol/internal.js";
import type { Task } from "../../protocol/internal.js";

/** What 0.1 says of a chunk within its artifact, and later versions beside it. */
export interface ChunkFlags {
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/** The flags of the artifacts of a task. Those of a task that has ended are whole; any other may still grow. */
export function chunkFlagsOf({ status: { state } }: Task): ChunkFlags {
  return { append: false, lastChunk: isTerminal(state) };
}
