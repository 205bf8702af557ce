import { A2AError } from "../../protocol/internal.js";
import type { TaskState } from "../../protocol/internal.js";
import type { Append, Head, LogEvent } from "../../store/internal.js";

/** What a write adds to a task. */
export interface Draft extends Pick<
  Append,
  "node" | "messageIds" | "idempotency" | "pushConfig" | "limits"
> {
  readonly events: readonly LogEvent[];
  /** The weight of the events, where the writer has computed it. */
  readonly bytes?: number;
}

/**
 * Decides what to write, given the task's state when the write's turn has come; `undefined` writes nothing.
 * Called again when another node's write came first.
 */
export type Build = (state: TaskState) => Draft | undefined;

/** Where the log stood when a write was committed, and under which epoch. */
export interface Committed {
  readonly sequence: number;
  readonly epoch: number;
}

export interface WriteOptions {
  /**
   * Builds this write only after all writes before it are committed. It shares its commit with no other write
   * except outputs that came before it.
   */
  readonly alone?: boolean | undefined;
  /**
   * Shares its commit with no other write at all: the store may refuse what it brings along, and must not refuse
   * anything else with it.
   */
  readonly isRefusable?: boolean | undefined;
  /** The write holds output of a run and nothing that other writes depend on. */
  readonly isOutput?: boolean;
  /** Refuses the write with `CONCURRENT_MODIFICATION` under any other epoch. Absent: any epoch will do. */
  readonly epoch?: number | undefined;
}

/** A write in the queue, and the callbacks that learn its outcome. */
export interface Write extends WriteOptions {
  readonly build: Build;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (reason: unknown) => void;
}

/** True when another write came first. */
export function isConflict(error: unknown): boolean {
  return A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
}

/** Where the log stands that has refused a write, if the store says so. */
export function headOf(error: unknown): Head | undefined {
  // By its form and not by its class: the store may come from another copy of this library.
  const isTold = isConflict(error) && typeof error === "object" && error !== null;
  return isTold && "head" in error ? (error.head as Head | undefined) : undefined;
}

/** True when a failed write is certainly not in the log, because it was refused. A store that is away leaves it open. */
export function isRefused(error: unknown): boolean {
  return A2AError.is(error) && error.code !== "INTERNAL" && error.code !== "UNAVAILABLE";
}

/** True when a write was refused because another node has the task, or because the task has ended or is gone. */
export function isFenced(error: unknown): boolean {
  const codes = ["CONCURRENT_MODIFICATION", "UNSUPPORTED_OPERATION", "TASK_NOT_FOUND"];
  return A2AError.is(error) && codes.includes(error.code);
}
