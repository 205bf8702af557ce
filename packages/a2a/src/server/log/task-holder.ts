import type { JsonValue } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";

/** A run that works on a task on this node. */
export interface TaskHolder {
  /** The epoch under which it writes. */
  readonly epoch: number;
  /** What records that the run takes up an answer; `undefined` when it is about to end and takes up nothing more. */
  takesUp(credentials?: JsonValue): LogEvent | undefined;
  /** Ends the run without a write: its task is void. */
  lose(reason: unknown): void;
}
