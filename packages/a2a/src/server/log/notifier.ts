import type { TraceContext } from "../../protocol/internal.js";

/** Push notifications that an append of a run has queued. */
export interface QueuedByRun {
  readonly taskId: string;
  /** The span of the run. */
  readonly trace: TraceContext;
  readonly queued: number;
}

/** Hears that an append has queued push notifications, so that they are sent at once. */
export interface Notifier {
  /** The time from which notifications of an append are due. */
  now(): number;
  /** Notifications have been queued; by a run that is seen, if `by` says so. */
  wake(by?: QueuedByRun): void;
}
