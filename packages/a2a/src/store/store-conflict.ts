import { A2AError } from "../protocol/internal.js";
import type { TaskState } from "../protocol/internal.js";

/** Where a task stands: the end of its log, the right to write, and its state. */
export interface Head {
  readonly sequence: number;
  readonly epoch: number;
  readonly state: TaskState;
}

/** Refuses an append that does not fit the log. `head` says where the log stands; absent for an unknown task. */
export class StoreConflict extends A2AError {
  readonly head: Head | undefined;

  constructor(message: string, head?: Head) {
    super("CONCURRENT_MODIFICATION", message);
    this.head = head;
  }
}
