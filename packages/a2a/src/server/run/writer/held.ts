import type { LiveHandle } from "../../log/live-tasks.js";

/** A task that this node may write to under an epoch. */
export interface Held {
  readonly handle: LiveHandle;
  readonly epoch: number;
}
