import type { JsonValue } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import type { LiveEntry } from "../../log/live-entry.js";

/** Hears what happens to the task of a writer. */
export interface TaskObserver {
  /** The task is about to be stored. A task that was stored before the run does not tell it again, nor `born`. */
  readonly planned: () => void;
  /** The task is stored now. */
  readonly born: () => void;
  /** The handler can stop here until the run has a slot for its task: returns a promise if it has to. */
  readonly pause: () => Promise<void> | undefined;
  /** The log has an entry that the run does not know yet, whichever node wrote it. */
  readonly entry: (entry: LiveEntry) => void;
  /**
   * The writer can write nothing more. `isDropped` when the store failed and the task is still under this node's
   * lease; otherwise another node has the task, or it has ended, or it was never created.
   */
  readonly lost: (reason: unknown, isDropped: boolean) => void;
  /** What records that the run takes up an answer, see `TaskHolder`. */
  readonly takesUp: (credentials?: JsonValue) => LogEvent;
}

/** Observes a writer until its run does. */
export const nobody: TaskObserver = {
  planned: () => undefined,
  born: () => undefined,
  pause: () => undefined,
  entry: () => undefined,
  lost: () => undefined,
  takesUp: () => {
    throw new Error("a run that nobody observes takes up nothing");
  },
};
