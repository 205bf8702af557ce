import type { TraceContext } from "../../../protocol/internal.js";
import type { TaskIdentity } from "../../log/task-identity.js";

/** Why a handler works: a message began its run, it has its answer, or its node has died or has handed it over. */
export type RunReason = "message" | "answer" | "recovered" | "handed-over";

/** Of which run a span is, and what led to it. */
export interface RunBegin {
  readonly identity: TaskIdentity;
  readonly reason: RunReason;
  /** The number of the run, and how often its handler has been begun. */
  readonly run: number;
  readonly attempt: number;
  /** The trace of the call that brought the message or the answer. */
  readonly wokenBy: TraceContext | undefined;
  /** The span in which the task was worked on before. */
  readonly before?: TraceContext | undefined;
  /** The caller waits for the run, which is then part of the call. */
  readonly isAwaited?: boolean;
}

/** The first run of a task, begun by a message that a call with this trace has brought. */
export function firstRun(
  identity: TaskIdentity,
  wokenBy: TraceContext | undefined,
  isAwaited: boolean,
): RunBegin {
  return { identity, reason: "message", run: 1, attempt: 1, wokenBy, isAwaited };
}
