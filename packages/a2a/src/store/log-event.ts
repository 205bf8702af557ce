import type { JsonObject, JsonValue, TaskEvent } from "../protocol/internal.js";

/** A run of an agent's handler began to answer a message. */
export interface RunStarted {
  readonly kind: "run-started";
  /** The number of the run within its task, from 1. */
  readonly run: number;
  readonly messageId: string;
  /** What the run has to know of the call if it continues later or on another node. */
  readonly call: JsonObject;
}

/** The result of a step. A replay returns it instead of doing the work again. */
export interface StepRecorded {
  readonly kind: "step-recorded";
  readonly position: number;
  readonly name: string;
  readonly result: JsonValue;
}

/** A run asked its caller and ended its activation. The next message is the answer. */
export interface QuestionAsked {
  readonly kind: "question-asked";
  readonly position: number;
}

/** A run took a message that arrived while it worked. */
export interface MessageTaken {
  readonly kind: "message-taken";
  readonly position: number;
  readonly messageId: string;
}

/** A caller canceled the task. The node that runs it stops the run. */
export interface CancelRequested {
  readonly kind: "cancel-requested";
}

/** The journal of a task's runs, from which a run is replayed. Callers never see it. */
export type JournalEvent =
  RunStarted | StepRecorded | QuestionAsked | MessageTaken | CancelRequested;

/**
 * An event as it is stored. `position` is the number of an output within its run, for replays. `call` is what a
 * run that answers a message has to know of the call that sent it.
 */
export type LogEvent =
  JournalEvent | (TaskEvent & { readonly position?: number; readonly call?: JsonObject });

/** An event and its place in the log. Sequences start at 1 and have no gaps. */
export interface LogEntry {
  readonly sequence: number;
  readonly event: LogEvent;
}
